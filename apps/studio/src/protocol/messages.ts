// SPDX-License-Identifier: MIT
// What the server and the page say to each other (docs/formats/studio.md).

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type Point = [number, number];
export type Ring = Point[];
/** An outline and its holes. */
export type Polygon = Ring[];

export interface Problem {
  where: string;
  what: string;
  allowed?: string;
  fix?: string;
  pointer?: string;
  place?: Point;
  severity?: 'error' | 'warning';
}

export interface LayerShape {
  name: string;
  elevation: number;
  height: number;
  slope?: Point;
  /** Of uneven ground: on a lattice, row by row from the south-west. */
  heights?: { origin: Point; step: number; columns: number; z: number[] };
  walkable: Polygon[];
  walls: Polygon[];
}

export interface NamedArea {
  name: string;
  layer: number;
  shape: Polygon;
  kind: string;
}

/** What a door or an obstacle became at an event: an outline, or nothing. */
export interface GroundEdit {
  name: string | number;
  layer: number;
  polygon: Polygon | null;
}

export interface TimedEvent {
  time: number;
  kind: string;
  words: string;
  agent?: number;
  edit?: GroundEdit;
}

export interface Branch {
  branch: number;
  name: string;
  parent: number | null;
  from: number;
  start: number;
  end: number;
  running: boolean;
  done: boolean;
  events: TimedEvent[];
}

export interface StudioDocument {
  name: string;
  path?: string;
  /** The named scene it is, or was before it was edited. */
  scene?: string;
  kind: 'scenario' | 'recording' | 'scene';
  /** There is a file below the folder with exactly this in it. */
  saved: boolean;
  /** What is edited lies in no file, named scene or dropped file. */
  changed?: boolean;
  /** What is edited, where it is not what was run. */
  edited?: JsonObject;
  draft?: { id: string; at: number };
  scenario: JsonObject;
  bounds: [number, number, number, number];
  layers: LayerShape[];
  areas: NamedArea[];
  lines?: { name: string; layer: number; from: Point; to: Point }[];
  models: string[];
  kinds: string[];
  goals?: string[];
  branches: Branch[];
  problems: Problem[];
  dt: number;
  duration: number;
}

/** What a draft belongs to: a file, a named scene, or neither. */
export interface DraftOrigin {
  name: string;
  path?: string;
  scene?: string;
}

export interface DraftEntry extends DraftOrigin {
  id: string;
  /** ms since 1970. */
  at: number;
}

export interface NamedScene {
  name: string;
  title: string;
  description: string;
  people: number;
  seconds: number;
  picture: string;
}

export interface FileEntry {
  path: string;
  /** Of a run: the folder that `throng run` wrote. */
  kind: 'scenario' | 'recording' | 'scene' | 'run' | 'folder';
  bytes: number;
}

export interface SceneList {
  scenes: NamedScene[];
  files: FileEntry[];
  /** Its name. */
  folder: string;
}

export type OverlayItem =
  | ['line', number[], string, number]
  | ['area', number[][][] | number[][], string]
  | ['disc', number, number, number, string]
  | ['text', number, number, string, number, string]
  /** Lower left corner, side of a square, columns, people per m² of a unit, base64 of a byte a square. */
  | ['grid', number, number, number, number, number, string];

export interface LegendEntry {
  words: string;
  color: string;
  mark: 'area' | 'line' | 'dot';
}

export interface OverlayAnswer {
  name: string;
  count: number;
  layers: { name: string; items: OverlayItem[] }[];
  legend: LegendEntry[];
}

export interface InspectedAgent {
  number: number;
  x: number;
  y: number;
  layer: number;
  speed: number;
  preferred_speed: number;
  heading: number;
  activity?: string;
  model?: string;
  kind?: string;
  group?: number | null;
  level?: number;
  goal?: string | null;
  plan?: Json;
  /** The way ahead, pulled tight, and the portals it leads through. */
  corridor?: Point[];
  portals?: [Point, Point][];
  born?: number;
  travelled?: number;
  [key: string]: Json | Point[] | [Point, Point][] | undefined;
}

export interface Inspection {
  agent: InspectedAgent;
  why: { lines: string[] } | null;
}

export interface PlaceAnswer {
  cell?: Json;
  zone?: Json;
  topology?: Json;
  /** Of the shortest line from wall to wall through the place, the ends of that line, and how many have crossed it: absent on open ground. */
  width?: number;
  passage?: [Point, Point];
  flow?: number;
  passed?: number;
  clearance?: number;
  area?: string[];
  density?: number | null;
  density_radius?: number;
  /** Time, people per m² and, where there is a passage, per second. */
  curve?: [number, number, number | null][];
  complete: boolean;
}

/** Of long runs some is counted with each question: `complete` once all that is computed is. */
export interface Series {
  complete: boolean;
  time: number[];
  present: number[];
  arrived: number[];
  walking: number[];
  mean_speed: number[];
  lines: { name: string; flow: number[]; density: number[]; speed: number[] }[];
  areas: { name: string; density: number[]; speed: number[] }[];
  travel_times: number[];
  /** Who has arrived at each goal area so far; `index` is that of the area in the document's `goals`. */
  goals?: { name: string; index: number; arrived: number[] }[];
  phases: { name: string; ms: number[] }[];
}

/** What came of a run. What only the engine knows is absent for files of other tools. */
export interface Results {
  complete: boolean;
  done: boolean;
  time: number;
  people: number;
  arrived: number;
  still_there: number;
  last_arrival: number | null;
  travel_time: { count: number; mean: number; median: number; p95: number; high: number } | null;
  goals: { name: string; index: number; arrived: number; first: number | null; last: number | null }[];
  /** The highest of all densities that the overlay shows, looked up every second. */
  peak?: { density: number; time: number; x: number; y: number; layer: number };
  lost?: number;
  was_lost?: number;
  stuck?: number;
  waiting_outside?: number;
  notices?: string[];
}

export interface ComparedBranch {
  branch: number;
  complete: boolean;
  arrived: number;
  mean_travel_time: number | null;
  people?: number;
  curve: [number, number, number][];
}

export interface Hello {
  version: number;
  program: string;
  folder: string;
  document: StudioDocument | null;
}

export type Push =
  | { push: 'document'; document: StudioDocument }
  | { push: 'branch'; branch: Branch }
  | { push: 'progress'; words: string; done: boolean }
  | { push: 'problem'; problems: Problem[] };

/** Everything the page may ask for: the words of a request and the shape of its answer. */
export interface Requests {
  hello: [Record<string, never>, Hello];
  open: [{ scene: string } | { path: string } | { draft: string }, { document: StudioDocument }];
  draft: [{ draft: string; scenario: JsonObject } & DraftOrigin, { draft: { id: string; at: number } }];
  drafts: [Record<string, never>, { drafts: DraftEntry[] }];
  discard: [{ draft: string }, { discarded: boolean }];
  results: [{ branch: number }, Results];
  check: [{ scenario: JsonObject }, { problems: Problem[] }];
  run: [{ scenario: JsonObject }, { document: StudioDocument }];
  branch: [{ branch: number; time: number; name?: string; events: JsonObject[] }, { branch: Branch }];
  compare: [{ branches: number[] }, { branches: ComparedBranch[] }];
  view: [{ branch: number; time: number; playing: boolean; speed: number }, Record<string, never>];
  compute: [{ branch: number; to: number }, Record<string, never>];
  stop: [{ branch: number }, Record<string, never>];
  cancel: [Record<string, never>, Record<string, never>];
  files: [{ path: string }, { files: FileEntry[] }];
  save: [{ path: string; scenario: JsonObject; overwrite: boolean }, { path: string; saved: boolean }];
  overlay: [{ name: string; layer: number; branch: number; time: number; agent?: number; at?: Point; depth?: number }, OverlayAnswer];
  inspect: [{ branch: number; time: number; agent: number }, Inspection];
  place: [{ branch: number; time: number; x: number; y: number; layer: number }, PlaceAnswer];
  series: [{ branch: number; points: number }, Series];
  walk: [{ branch: number; x: number; y: number; layer: number; vx: number; vy: number } | { branch: number; leave: true }, { agent?: number }];
}

export type Verb = keyof Requests;
export type Ask<V extends Verb> = Requests[V][0];
export type Answer<V extends Verb> = Requests[V][1];

/** A request that the server could not do, with what is wrong and how to put it right. */
export class RequestError extends Error {
  constructor(readonly problems: Problem[]) {
    super(problems.map((problem) => problem.what).join('; ') || 'the server could not do this');
  }
}

/** What to tell of an error in one line. */
export function words_of(error: unknown): string {
  return error instanceof RequestError ? (error.problems[0]?.what ?? error.message) : String(error);
}
