// SPDX-License-Identifier: MIT
// The line to whoever simulates: the server over a WebSocket, or a recording embedded in the page (embedded.ts).
import { type Answer, type Ask, type Problem, type Push, RequestError, type Verb } from './messages';

export type LinkState = 'connecting' | 'open' | 'lost';

export interface Listener {
  frame(bytes: ArrayBuffer): void;
  push(message: Push): void;
  state(state: LinkState): void;
}

export interface Connection {
  /** False where nothing can be computed, edited or exported: an embedded recording. */
  readonly live: boolean;
  ask<V extends Verb>(verb: V, words: Ask<V>): Promise<Answer<V>>;
  listen(listener: Listener): void;
}

interface Waiting {
  resolve(answer: never): void;
  reject(error: RequestError): void;
}

const kRetryMs = 1000;

export class SocketConnection implements Connection {
  readonly live = true;
  private socket: WebSocket | null = null;
  private listener: Listener | null = null;
  private next = 1;
  private waiting = new Map<number, Waiting>();
  private unsent: string[] = [];

  constructor(private readonly url: string) {}

  listen(listener: Listener): void {
    this.listener = listener;
    this.connect();
  }

  ask<V extends Verb>(verb: V, words: Ask<V>): Promise<Answer<V>> {
    const id = this.next++;
    const text = JSON.stringify({ id, do: verb, ...words });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: never) => void, reject });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
      else this.unsent.push(text);
    });
  }

  private connect(): void {
    this.listener?.state('connecting');
    const socket = new WebSocket(this.url);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      for (const text of this.unsent.splice(0)) socket.send(text);
      this.listener?.state('open');
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.receive(event.data);
    socket.onclose = () => {
      const lost: Problem = { where: 'connection', what: 'the connection to the program was lost', fix: 'start `throng studio` again, or wait' };
      for (const one of this.waiting.values()) one.reject(new RequestError([lost]));
      this.waiting.clear();
      this.unsent = [];
      this.listener?.state('lost');
      setTimeout(() => this.connect(), kRetryMs);
    };
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      this.listener?.frame(data);
      return;
    }
    const message = JSON.parse(data) as { id?: number; ok?: boolean; push?: string; problems?: Problem[] };
    if (message.push !== undefined) {
      this.listener?.push(message as unknown as Push);
      return;
    }
    if (message.id === undefined) return;
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.ok) waiting?.resolve(message as never);
    else waiting?.reject(new RequestError(message.problems ?? []));
  }
}

/** Plain HTTP beside the socket: lists, pictures, files in and out. The token came in the page's fragment. */
export class HttpApi {
  constructor(private readonly token: string) {}

  url(path: string): string {
    return `${path}${path.includes('?') ? '&' : '?'}token=${encodeURIComponent(this.token)}`;
  }

  socket_url(): string {
    return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws?token=${encodeURIComponent(this.token)}`;
  }

  async json<T>(path: string): Promise<T> {
    return this.read<T>(await fetch(path, { headers: { 'X-Throng-Token': this.token } }));
  }

  async upload<T>(name: string, body: Blob): Promise<T> {
    return this.read<T>(await fetch(`/api/upload?name=${encodeURIComponent(name)}`, { method: 'POST', headers: { 'X-Throng-Token': this.token }, body }));
  }

  async blob(path: string): Promise<Blob> {
    const response = await fetch(path, { headers: { 'X-Throng-Token': this.token } });
    if (!response.ok) throw await this.problem(response);
    return response.blob();
  }

  private async read<T>(response: Response): Promise<T> {
    if (!response.ok) throw await this.problem(response);
    const body = (await response.json()) as T & { ok?: boolean; problems?: Problem[] };
    if (body.ok === false) throw new RequestError(body.problems ?? []);
    return body;
  }

  private async problem(response: Response): Promise<RequestError> {
    const text = await response.text();
    try {
      const body = JSON.parse(text) as { problems?: Problem[] };
      if (body.problems) return new RequestError(body.problems);
    } catch {
      // Not JSON: the words themselves are shown below.
    }
    return new RequestError([{ where: response.url, what: text || `HTTP ${response.status}` }]);
  }
}
