// SPDX-License-Identifier: MIT
// What the page knows and can do: the document, its branches, the clock, the edited scenario. Components read the signals and call the methods;
// only this file talks to the connection about documents and time.
import type { Connection, HttpApi, LinkState } from '../protocol/connection';
import { type Ask, type Branch, type DraftEntry, type DraftOrigin, type Json, type JsonObject, type Problem, type Push, RequestError, type StudioDocument } from '../protocol/messages';
import { events_of } from '../edit/ground_edits';
import { History } from './history';
import { DraftKeeper } from './draft_keeper';
import { get_at, is_object, rename_at, set_at } from './json';
import { kNothing, selection } from './selection';
import { signal } from './signal';

export type Mode = 'scene' | 'run' | 'compare';
export type ColorBy = 'speed' | 'model' | 'group' | 'goal' | 'level' | 'kind';
export type Tool = 'select' | 'obstacle' | 'door' | 'area' | 'goal' | 'people' | 'source' | 'region' | 'vehicle' | 'line';
export type Dialog = 'none' | 'keys' | 'save' | 'share' | 'branch' | 'search' | 'leave' | 'save_and_leave';

export interface Cursor {
  branch: number;
  /** Where one looks, or from where it plays. */
  time: number;
  playing: boolean;
  speed: number;
}

export interface Notice {
  words: string;
  problems: Problem[];
  /** `ask` stays until it is answered or closed. */
  kind: 'done' | 'error' | 'ask';
  actions?: { words: string; act: () => void }[];
}

/** What is on its way to be computed. */
export interface Computing {
  branch: number;
  to: number;
}

export const kSlowest = 0.1;
export const kFastest = 50;
const kSpeeds = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];
const kCheckDelayMs = 250;
const kTimeSlack = 1e-6;

/** The same value with the keys of all objects in order: what two programs agree on. */
export function canonical(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    is_object(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

export class Studio {
  readonly link = signal<LinkState>('connecting');
  readonly document = signal<StudioDocument | null>(null);
  readonly branches = signal<Branch[]>([]);
  readonly cursor = signal<Cursor>({ branch: 0, time: 0, playing: false, speed: 1 });
  /** Of the frame on the screen. */
  readonly shown_time = signal(0);
  readonly shown_people = signal(0);
  readonly problems = signal<Problem[]>([]);
  readonly notice = signal<Notice | null>(null);
  readonly busy = signal<string | null>(null);
  readonly mode = signal<Mode>('run');
  readonly tool = signal<Tool>('select');
  readonly color_by = signal<ColorBy>('speed');
  /** Nobody is drawn as a figure. */
  readonly dots = signal(false);
  readonly overlays = signal<readonly string[]>([]);
  readonly storey = signal(Number.POSITIVE_INFINITY);
  readonly edit_layer = signal(0);
  readonly dialog = signal<Dialog>('none');
  readonly charts_open = signal(false);
  readonly compared = signal<readonly number[]>([]);
  readonly history = new History<JsonObject>({});
  readonly schema = signal<JsonObject | null>(null);
  readonly computing = signal<Computing | null>(null);
  /** Of a run that has ended: shown at its end, until closed, and whenever asked for. */
  readonly results_open = signal(false);
  readonly drafts: DraftKeeper;

  private run_scenario: JsonObject = {};
  /** What a file, a named scene or a dropped file holds; null: nothing does. */
  private clean_scenario: JsonObject | null = null;
  private results_wanted: 'at_end' | 'open' | 'closed' = 'at_end';
  private after_leaving: (() => void) | null = null;
  /** Answers that bring another document are on their way. */
  private opening = 0;
  private check_timer: ReturnType<typeof setTimeout> | null = null;

  constructor(readonly connection: Connection, readonly api: HttpApi | null) {
    this.drafts = new DraftKeeper(connection, () => {
      const document = this.document.value;
      return document ? { scenario: this.scenario, is_clean: this.is_clean, of: origin_of(document) } : null;
    });
    this.history.current.watch(() => {
      this.check_soon();
      if (!this.document.value) return;
      this.drafts.changed();
      this.judge_results();
    });
  }

  get scenario(): JsonObject {
    return this.history.current.value;
  }

  /** Nothing is edited that lies nowhere else. */
  get is_clean(): boolean {
    return this.scenario === this.clean_scenario;
  }

  /** It is a file on disk. */
  get is_saved(): boolean {
    const document = this.document.value;
    return this.is_clean && document?.path !== undefined;
  }

  /** Whether what is edited differs from what was run. */
  get is_stale(): boolean {
    return this.scenario !== this.run_scenario;
  }

  branch(number = this.cursor.value.branch): Branch | null {
    return this.branches.value.find((one) => one.branch === number) ?? null;
  }

  async start(): Promise<void> {
    const hello = await this.connection.ask('hello', {});
    // After a lost connection what was edited here stays, if it is still the same run.
    const before = this.document.value;
    const same = hello.document !== null && before !== null && canonical(hello.document.scenario) === canonical(this.run_scenario);
    if (same && hello.document) {
      this.adopt(hello.document, false);
      this.drafts.changed();
    } else if (before) await this.come_back(before, hello.document);
    else if (hello.document) this.adopt(hello.document, true);
    if (this.api && !this.schema.value) this.schema.value = await this.api.json<JsonObject>('/api/schema');
  }

  /** The program is another one, or has another document: what was edited here is kept first. */
  private async come_back(before: StudioDocument, now: StudioDocument | null): Promise<void> {
    if (!this.is_clean) {
      this.drafts.changed();
      await this.drafts.flush();
    }
    const draft = this.drafts.draft_id;
    if (now) {
      this.replaced_by(now);
    } else if (!this.is_clean && draft !== null) {
      await this.open({ draft });
    } else if (before.path !== undefined || before.scene !== undefined) {
      await this.open(before.path !== undefined ? { path: before.path } : { scene: before.scene as string });
    } else {
      this.close();
      this.fail(new RequestError([{ where: before.name, what: 'the program has ended, and knows nothing of it any more', fix: 'open it again' }]), 'The program was started anew');
    }
  }

  /** Somebody else has opened or run something. */
  private replaced_by(document: StudioDocument): void {
    const fresh = canonical(document.scenario) !== canonical(this.scenario);
    const before = this.document.value;
    if (fresh && before && !this.is_clean && this.opening === 0) {
      const of = before.name;
      void this.drafts.flush().then(() => {
        this.adopt(document, true);
        this.ask_about(`Another window opened ${document.name}. What you edited is kept: a draft of ${of}, not saved.`, []);
      });
      return;
    }
    this.adopt(document, fresh);
  }

  receive(message: Push): void {
    switch (message.push) {
      case 'document': return this.replaced_by(message.document);
      case 'branch': return this.update_branch(message.branch);
      case 'progress': if (this.busy.value !== null) this.busy.value = message.done ? 'Nearly there…' : message.words; return;
      case 'problem': return this.fail(new RequestError(message.problems), 'The program reports a problem');
    }
  }

  /** Called with each frame that is shown. */
  frame_shown(branch: number, time: number, people: number): void {
    if (branch !== this.cursor.value.branch) return;
    this.shown_time.value = time;
    this.shown_people.value = people;
    this.judge_results();
    const cursor = this.cursor.value;
    if (!cursor.playing) return;
    const shown = this.branch();
    // While it plays the cursor stays: a frame changes nothing but the time that is shown.
    if (shown?.done && time >= shown.end - kTimeSlack) this.cursor.value = { ...cursor, time, playing: false };
  }

  // ---- documents ----

  async open(what: { scene: string } | { path: string } | { draft: string }): Promise<void> {
    await this.doing('Opening…', async () => {
      const { document } = await this.bringing(this.connection.ask('open', what));
      this.adopt(document, true);
    });
  }

  private bringing<T>(document: Promise<T>): Promise<T> {
    this.opening++;
    return document.finally(() => this.opening--);
  }

  /** Says of drafts that belong to what was opened, and are not what is shown. */
  private async offer_drafts(document: StudioDocument): Promise<void> {
    if (!this.connection.live || (document.path === undefined && document.scene === undefined)) return;
    const { drafts } = await this.connection.ask('drafts', {});
    const of = drafts.filter((one) => one.id !== document.draft?.id && one.path === document.path && one.scene === document.scene);
    const newest = of[0];
    if (!newest || this.document.value?.name !== document.name) return;
    this.ask_about(`There is a draft of ${newest.name}, not saved, from ${when(newest.at)}.`, [
      { words: 'Open the draft', act: () => this.leave(() => void this.open({ draft: newest.id })) },
    ]);
  }

  /** Asks first, where something would be left behind. */
  leave(then: () => void): void {
    const has_branches = this.branches.value.length > 1;
    if (!this.document.value || !this.connection.live || (this.is_clean && !has_branches)) {
      then();
      return;
    }
    this.after_leaving = then;
    this.dialog.value = 'leave';
  }

  /** What the question was answered. Saving is up to the dialog. */
  async left(how: 'keep' | 'discard'): Promise<void> {
    const then = this.after_leaving;
    this.after_leaving = null;
    this.dialog.value = 'none';
    if (how === 'discard') await this.drafts.discard();
    else await this.drafts.flush();
    if (how === 'keep' && this.drafts.keeping.value.state === 'failed') {
      this.fail(new Error(this.drafts.keeping.value.why), 'No draft could be kept, so the scene stays open');
      return;
    }
    then?.();
  }

  /** A question that blocks nothing. */
  ask_about(words: string, actions: { words: string; act: () => void }[]): void {
    this.notice.value = { words, problems: [], kind: 'ask', actions };
  }

  async upload(file: File): Promise<void> {
    await this.doing(`Reading ${file.name}…`, async () => {
      if (!this.api) return;
      try {
        const { document } = await this.bringing(this.api.upload<{ document: StudioDocument }>(file.name, file));
        this.adopt(document, true);
      } catch (error) {
        this.fail(error, `${file.name} could not be read`);
      }
    });
  }

  /** Gives up what is being prepared. */
  cancel(): void {
    void this.ask_quietly('cancel', {});
  }

  close(): void {
    this.document.value = null;
    this.drafts.adopt(null, {});
    this.computing.value = null;
    selection.value = kNothing;
    this.overlays.value = [];
  }

  /** Runs the edited scenario from the start. */
  async run(): Promise<boolean> {
    await this.drafts.flush();
    const scenario = this.scenario;
    return this.doing('Preparing the run…', async () => {
      const { document } = await this.connection.ask('run', { scenario });
      this.run_scenario = scenario;
      this.adopt(document, false);
    });
  }

  /** False where there is another file of this name, which is left as it is. */
  async save(path: string, overwrite: boolean): Promise<boolean> {
    const scenario = this.scenario;
    let is_other = false;
    await this.doing('Saving…', async () => {
      const answer = await this.connection.ask('save', { path, scenario, overwrite: overwrite || path === this.document.value?.path });
      is_other = !answer.saved;
      if (is_other) return;
      this.clean_scenario = scenario;
      const document = this.document.value;
      if (document) this.document.value = without_scene({ ...document, path: answer.path, saved: true });
      this.drafts.changed();
      this.say(`Saved as ${answer.path}`);
    });
    return !is_other;
  }

  async export(kind: 'recording' | 'html' | 'video'): Promise<void> {
    const ending = { recording: 'throng', html: 'html', video: 'mp4' }[kind];
    // A run of which only the first moment is there would be a still.
    if (!(await this.compute_if_bare())) return;
    await this.doing(kind === 'video' ? 'Making the video…' : 'Exporting…', async () => {
      if (!this.api) return;
      const blob = await this.api.blob(`/api/export/${kind}?branch=${this.cursor.value.branch}`);
      download(blob, `${this.document.value?.name ?? 'throng'}.${ending}`);
    });
  }

  // ---- time ----

  async play(): Promise<void> {
    if (this.is_stale && !(await this.run())) return;
    const cursor = this.cursor.value;
    const branch = this.branch();
    const at_end = branch?.done && this.shown_time.value >= branch.end - kTimeSlack;
    this.view({ ...cursor, playing: true, time: at_end ? branch.start : this.shown_time.value });
    if (this.mode.value === 'scene') this.mode.value = 'run';
  }

  pause(): void {
    this.view({ ...this.cursor.value, playing: false, time: this.shown_time.value });
  }

  toggle_play(): void {
    if (this.cursor.value.playing) this.pause();
    else void this.play();
  }

  step(steps: number): void {
    const dt = this.document.value?.dt ?? 0.1;
    this.seek(Math.round((this.shown_time.value + steps * dt) / dt) * dt);
  }

  show_results(on: boolean): void {
    this.results_wanted = on ? 'open' : 'closed';
    this.judge_results();
  }

  private judge_results(): void {
    const branch = this.branch();
    const done = this.connection.live && branch !== null && branch.done && branch.end > branch.start + kTimeSlack;
    const at_end = done && this.shown_time.value >= branch.end - kTimeSlack;
    // Looking back begins anew: at the end they are shown again.
    if (!at_end && this.results_wanted === 'closed') this.results_wanted = 'at_end';
    this.results_open.value = done && !this.is_stale && (this.results_wanted === 'open' || (at_end && this.results_wanted === 'at_end'));
  }

  /** When a branch ends, as far as one knows. */
  end_of(branch: Branch | null): number {
    const duration = this.document.value?.duration ?? 0;
    return branch === null ? 0 : branch.done || !this.connection.live ? branch.end : Math.max(duration, branch.end);
  }

  /** To the last moment: what is edited is run, and what is not computed yet is computed first. */
  async to_end(): Promise<void> {
    if (this.connection.live && this.is_stale && !(await this.run())) return;
    this.seek(this.end_of(this.branch()));
  }

  /** Whether there is more than the first moment of what is shown; computes the rest where there is not. */
  private async compute_if_bare(): Promise<boolean> {
    if (this.connection.live && this.is_stale && !(await this.run())) return false;
    const branch = this.branch();
    const dt = this.document.value?.dt ?? 0.1;
    if (!branch || branch.done || branch.end > branch.start + 1.5 * dt) return branch !== null;
    this.seek(this.end_of(branch));
    await new Promise<void>((resolve) => {
      const stop = this.computing.watch(() => {
        if (this.computing.value !== null) return;
        stop();
        resolve();
      });
      if (this.computing.value === null) {
        stop();
        resolve();
      }
    });
    return (this.branch()?.end ?? 0) > branch.start + 1.5 * dt;
  }

  /** Stops what `seek` had computed: what is there stays. */
  stop_computing(): void {
    const computing = this.computing.value;
    if (!computing) return;
    this.computing.value = null;
    void this.ask_quietly('stop', { branch: computing.branch });
  }

  /** Goes to a moment. What is not computed yet is computed first, in view of everybody. */
  seek(time: number): void {
    const branch = this.branch();
    if (!branch) return;
    const target = Math.max(branch.start, time);
    if (target > branch.end + kTimeSlack && !branch.done && this.connection.live) {
      this.computing.value = { branch: branch.branch, to: target };
      void this.ask_quietly('compute', { branch: branch.branch, to: target });
      this.view({ ...this.cursor.value, playing: false, time: branch.end });
      return;
    }
    this.stop_computing();
    this.view({ ...this.cursor.value, playing: false, time: Math.min(target, branch.end) });
  }

  /** Computes a branch up to a time, wherever one looks meanwhile. */
  compute(branch: number, to: number): void {
    void this.ask_quietly('compute', { branch, to });
  }

  /** Asks for everybody anew: a frame was lost. */
  refresh(): void {
    const cursor = this.cursor.value;
    this.view({ ...cursor, time: cursor.playing ? this.shown_time.value : cursor.time });
  }

  /** The next event after the moment shown, or the last before it. */
  to_event(forward: boolean): void {
    const time = this.shown_time.value;
    const times = events_of(this.branches.value, this.cursor.value.branch).map((event) => event.time);
    const found = forward ? times.filter((one) => one > time + kTimeSlack) : times.filter((one) => one < time - kTimeSlack);
    if (found.length > 0) this.seek(forward ? Math.min(...found) : Math.max(...found));
  }

  show_branch(number: number): void {
    const branch = this.branch(number);
    if (!branch) return;
    this.view({ ...this.cursor.value, branch: number, playing: false, time: Math.min(Math.max(this.shown_time.value, branch.start), branch.end) });
  }

  set_speed(speed: number): void {
    const kept = Math.min(kFastest, Math.max(kSlowest, speed));
    this.view({ ...this.cursor.value, speed: kept, time: this.shown_time.value });
  }

  faster(): void {
    this.set_speed(kSpeeds.find((speed) => speed > this.cursor.value.speed + kTimeSlack) ?? kFastest);
  }

  slower(): void {
    this.set_speed(kSpeeds.findLast((speed) => speed < this.cursor.value.speed - kTimeSlack) ?? kSlowest);
  }

  /** Goes back to a moment and on from there with a change: both runs stay. */
  async make_branch(time: number, events: JsonObject[], name?: string): Promise<void> {
    const from = this.cursor.value.branch;
    await this.doing('Branching…', async () => {
      const { branch } = await this.connection.ask('branch', { branch: from, time, events, ...(name ? { name } : {}) });
      this.update_branch(branch);
      this.compared.value = [from, branch.branch];
      this.view({ ...this.cursor.value, branch: branch.branch, time: branch.start > time ? branch.start : time, playing: true });
    });
  }

  private view(next: Cursor): void {
    this.cursor.value = next;
    if (!next.playing) this.shown_time.value = next.time;
    void this.ask_quietly('view', next);
  }

  // ---- editing ----

  edit(label: string, next: JsonObject, merge: string | null = null): void {
    this.history.change(next, label, merge);
  }

  set(pointer: string, value: Json | undefined, label: string): void {
    this.edit(label, set_at(this.scenario, pointer, value), `set ${pointer}`);
  }

  /** The same as a step of its own, whatever was set before: a choice, not typing. */
  choose(pointer: string, value: Json | undefined, label: string): void {
    this.history.settle();
    this.set(pointer, value, label);
    this.history.settle();
  }

  undo(): void {
    const label = this.history.undo();
    if (label) this.say(`Undone: ${label}`);
  }

  redo(): void {
    const label = this.history.redo();
    if (label) this.say(`Done again: ${label}`);
  }

  /** What a problem's own words offer as a safe change, if they do: another word at its place. */
  fix_of(problem: Problem): { words: string; apply: () => void } | null {
    const word = /^\(?write "([^"]+)"\)?$/.exec(problem.fix ?? '')?.[1];
    if (word === undefined || problem.pointer === undefined) return null;
    const pointer = problem.pointer;
    const found = get_at(this.scenario, pointer);
    if (found === undefined) return null;
    const unknown_key = problem.what.includes('unknown key');
    if (!unknown_key && typeof found !== 'string') return null;
    const next = unknown_key ? rename_at(this.scenario, pointer, word) : set_at(this.scenario, pointer, word);
    return { words: `Write “${word}”`, apply: () => this.edit(`write “${word}”`, next) };
  }

  say(words: string): void {
    this.notice.value = { words, problems: [], kind: 'done' };
  }

  fail(error: unknown, words: string): void {
    const problems = error instanceof RequestError ? error.problems : [{ where: '', what: error instanceof Error ? error.message : String(error) }];
    this.notice.value = { words, problems, kind: 'error' };
  }

  private check_soon(): void {
    if (!this.connection.live || this.document.value === null) return;
    if (this.check_timer !== null) clearTimeout(this.check_timer);
    this.check_timer = setTimeout(() => void this.check(), kCheckDelayMs);
  }

  private async check(): Promise<void> {
    const scenario = this.scenario;
    try {
      const { problems } = await this.connection.ask('check', { scenario });
      if (scenario === this.scenario) this.problems.value = problems;
    } catch (error) {
      if (error instanceof RequestError && scenario === this.scenario) this.problems.value = error.problems;
    }
  }

  private adopt(document: StudioDocument, fresh: boolean): void {
    this.branches.value = document.branches;
    this.problems.value = document.problems;
    if (fresh) {
      const edited = document.edited ?? document.scenario;
      this.run_scenario = document.scenario;
      this.clean_scenario = document.changed ? null : edited;
      this.drafts.adopt(document.draft ?? null, edited);
      this.document.value = null;
      this.history.reset(edited);
      this.computing.value = null;
      selection.value = kNothing;
      this.overlays.value = [];
      this.compared.value = [];
      this.storey.value = Number.POSITIVE_INFINITY;
      this.edit_layer.value = 0;
      this.tool.value = 'select';
    }
    this.document.value = document;
    this.results_wanted = 'at_end';
    this.judge_results();
    if (fresh) {
      this.check_soon();
      this.drafts.changed();
      this.offer_drafts(document).catch(() => undefined);
    }
    const first = document.branches[0];
    if (first) this.view({ branch: first.branch, time: first.start, playing: false, speed: this.cursor.value.speed });
  }

  private update_branch(branch: Branch): void {
    const others = this.branches.value.filter((one) => one.branch !== branch.branch);
    this.branches.value = [...others, branch].sort((a, b) => a.branch - b.branch);
    this.judge_results();
    const wanted = this.computing.value;
    if (!wanted || wanted.branch !== branch.branch || this.cursor.value.branch !== branch.branch) return;
    const there = branch.end >= wanted.to - kTimeSlack || branch.done;
    this.view({ ...this.cursor.value, playing: false, time: Math.min(wanted.to, branch.end) });
    if (there) this.computing.value = null;
  }

  private async ask_quietly<V extends 'view' | 'compute' | 'stop' | 'cancel'>(verb: V, words: Ask<V>): Promise<void> {
    try {
      await this.connection.ask(verb, words);
    } catch (error) {
      this.fail(error, 'The program could not do this');
    }
  }

  private async doing(words: string, work: () => Promise<void>): Promise<boolean> {
    this.busy.value = words;
    try {
      await work();
      return true;
    } catch (error) {
      this.fail(error, words.replace('…', ' did not work'));
      return false;
    } finally {
      this.busy.value = null;
    }
  }
}

function origin_of(document: StudioDocument): DraftOrigin {
  const { name, path, scene } = document;
  return { name, ...(path === undefined ? {} : { path }), ...(scene === undefined ? {} : { scene }) };
}

/** Once it is a file it is no named scene any more. */
function without_scene({ scene: _scene, ...document }: StudioDocument): StudioDocument {
  return document;
}

/** "22:41" today, "2 May 22:41" before. */
export function when(at: number): string {
  const time = new Date(at);
  const minutes = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return time.toDateString() === new Date().toDateString() ? minutes : `${time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${minutes}`;
}

export type { DraftEntry };

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
