// SPDX-License-Identifier: MIT
// What came of a run, in words.
import type { Results } from '../protocol/messages';
import { clock, digits3 } from './numbers';

/** One sentence: who arrived, by when, and who did not. */
export function outcome(results: Results): string {
  const { people, arrived } = results;
  if (people === 0) return 'Nobody was in this run.';
  const all = arrived >= people;
  const who = all ? `All ${people} arrived` : `${arrived} of ${people} arrived`;
  const when = results.last_arrival === null || arrived === 0 ? '' : `, the last after ${clock(results.last_arrival)}`;
  return `${who}${when}.`;
}

export interface ResultRow {
  title: string;
  value: string;
  from: string;
  is_bad?: boolean;
}

export function result_rows(results: Results): ResultRow[] {
  const rows: ResultRow[] = [];
  const travel = results.travel_time;
  if (travel) {
    rows.push({ title: 'mean travel time', value: `${digits3(travel.mean)} s`, from: `of the ${travel.count} who reached the last goal of their plan, from the start of walking` });
    rows.push({ title: '95 % within', value: `${digits3(travel.p95)} s`, from: 'the travel time that 19 of 20 did not exceed' });
    rows.push({ title: 'slowest', value: `${digits3(travel.high)} s`, from: 'the longest travel time' });
  }
  if (results.lost !== undefined) rows.push({ title: 'lost', value: String(results.lost), from: 'have no way to their goal at the end', is_bad: results.lost > 0 });
  if (results.stuck) rows.push({ title: 'stuck', value: String(results.stuck), from: 'made no way for 60 s at some time, with an open way', is_bad: true });
  if (results.still_there > 0) rows.push({ title: 'still there', value: String(results.still_there), from: 'are in the scene at the end' });
  if (results.waiting_outside) rows.push({ title: 'waiting outside', value: String(results.waiting_outside), from: 'found no room to come in', is_bad: true });
  return rows;
}
