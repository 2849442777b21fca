// SPDX-License-Identifier: MIT
// Walking in the crowd in first person: keys become a wanted velocity, the engine moves an agent with it, and the camera is where that agent is.
import type { Stage } from '../view/stage';
import { selection } from './selection';
import { signal } from './signal';
import type { Studio } from './studio';

const kSpeed = 1.4;
const kRun = 2.6;
const kTellEveryMs = 100;
const kKeys: Record<string, [number, number]> = {
  KeyW: [1, 0], ArrowUp: [1, 0], KeyS: [-1, 0], ArrowDown: [-1, 0], KeyA: [0, 1], ArrowLeft: [0, 1], KeyD: [0, -1], ArrowRight: [0, -1],
};

export class Visitor {
  readonly active = signal(false);
  private readonly held = new Set<string>();
  private number = -1;
  private told_at = 0;
  private start = { x: 0, y: 0, layer: 0 };

  constructor(private readonly studio: Studio, private readonly stage: Stage) {
    addEventListener('blur', () => this.held.clear());
  }

  toggle(): void {
    if (this.active.value) this.leave();
    else void this.enter();
  }

  private async enter(): Promise<void> {
    const selected = selection.value;
    const at = selected.what === 'place' ? selected : this.stage.pick_ground(innerWidth / 2, innerHeight / 2);
    if (!at || !this.studio.connection.live) return;
    this.start = { x: at.x, y: at.y, layer: at.layer };
    try {
      const answer = await this.studio.connection.ask('walk', { branch: this.studio.cursor.value.branch, ...this.start, vx: 0, vy: 0 });
      this.number = answer.agent ?? -1;
    } catch (error) {
      this.studio.fail(error, 'You cannot walk here');
      return;
    }
    this.active.value = true;
    this.stage.rig.target(at.x, at.y, this.stage.floor(at.layer)(at.x, at.y));
    this.stage.rig.walk(Math.PI / 2);
    if (!this.studio.cursor.value.playing) void this.studio.play();
  }

  leave(): void {
    if (!this.active.value) return;
    this.active.value = false;
    this.held.clear();
    this.number = -1;
    this.stage.rig.leave();
    this.studio.connection.ask('walk', { branch: this.studio.cursor.value.branch, leave: true }).catch((error: unknown) => this.studio.fail(error, 'You could not leave'));
  }

  /** True if the key moves the visitor. */
  key(event: KeyboardEvent, down: boolean): boolean {
    if (!this.active.value) return false;
    if (event.key === 'Shift') down ? this.held.add('run') : this.held.delete('run');
    if (!(event.code in kKeys)) return false;
    if (down) this.held.add(event.code);
    else this.held.delete(event.code);
    return true;
  }

  tick(now: number): void {
    if (!this.active.value) return;
    const place = this.stage.person_place(this.number, now);
    if (place) this.stage.rig.target(place.x, place.y, place.z);
    if (now - this.told_at < kTellEveryMs) return;
    this.told_at = now;
    let [forward, left] = [0, 0];
    for (const code of this.held) {
      const way = kKeys[code];
      if (way) [forward, left] = [forward + way[0], left + way[1]];
    }
    const length = Math.hypot(forward, left) || 1;
    const speed = this.held.has('run') ? kRun : kSpeed;
    const heading = this.stage.rig.look_heading;
    const vx = (speed * (forward * Math.cos(heading) - left * Math.sin(heading))) / length;
    const vy = (speed * (forward * Math.sin(heading) + left * Math.cos(heading))) / length;
    this.studio.connection.ask('walk', { branch: this.studio.cursor.value.branch, ...this.start, vx, vy }).then(
      (answer) => (this.number = answer.agent ?? -1),
      () => this.leave(),
    );
  }
}
