// SPDX-License-Identifier: MIT
// Two branches side by side: the numbers, and how many had arrived when.
import { Plot, type PlotData } from '../charts/plot';
import type { ComparedBranch } from '../protocol/messages';
import { clock, with_unit } from '../state/numbers';
import { use_polled } from '../state/polled';
import { use_signal } from '../state/signal';
import { use_app } from './context';

const kEveryMs = 300;

export function Compare() {
  const { studio } = use_app();
  const branches = use_signal(studio.branches);
  const chosen = use_signal(studio.compared);
  const pair = chosen.length === 2 ? chosen : branches.slice(0, 2).map((one) => one.branch);
  const { answer: compared, trouble } = use_polled(
    async () => {
      const got = await studio.connection.ask('compare', { branches: [...pair] });
      return { branches: got.branches, complete: got.branches.every((one) => one.complete) };
    },
    () => studio.branches.value.map((one) => one.end).join(), kEveryMs, pair.length < 2 ? null : pair.join(),
  );
  const answer = compared?.branches ?? [];
  if (branches.length < 2) {
    return (
      <aside class="panel compare" aria-label="Compare">
        <h2>Compare</h2>
        <p class="empty">There is one run so far. Stop at a moment, press B, and change something: close a door, drop a crate. Both runs stay, and here they stand side by side.</p>
        <div class="buttons"><button onClick={() => (studio.dialog.value = 'branch')}>Branch here</button></div>
      </aside>
    );
  }
  const named = (number: number) => branches.find((one) => one.branch === number);
  const latest = Math.max(...pair.map((number) => named(number)?.end ?? 0));
  const shorter = pair.map(named).find((one) => one && !one.done && !one.running && one.end < latest - 0.05);
  const change = (slot: number, value: number) => (studio.compared.value = pair.map((one, i) => (i === slot ? value : one)));
  return (
    <aside class="panel compare" aria-label="Compare">
      <h2>Compare</h2>
      {trouble && <p class="empty">{trouble}</p>}
      <table>
        <thead>
          <tr>
            <td />
            {pair.map((number, slot) => (
              <th key={slot} scope="col">
                <select aria-label={`Branch ${slot + 1}`} value={number} onChange={(event) => change(slot, Number(event.currentTarget.value))}>
                  {branches.map((one) => <option key={one.branch} value={one.branch}>{one.name}</option>)}
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Line title="leaves at" cells={pair.map((number) => clock(named(number)?.from ?? 0))} />
          <Line title="computed to" cells={pair.map((number) => clock(named(number)?.end ?? 0))} />
          <Line title="people" cells={pair.map((number) => String(answer.find((one) => one.branch === number)?.people ?? '–'))} />
          <Line title="arrived" cells={pair.map((number) => String(answer.find((one) => one.branch === number)?.arrived ?? '–'))} />
          <Line title="mean travel time" cells={pair.map((number) => with_unit(answer.find((one) => one.branch === number)?.mean_travel_time, 's'))} />
        </tbody>
      </table>
      {answer.length === 2 && <Plot title="Arrived" unit="people" data={curves(answer, (number) => named(number)?.name ?? '')} height={170} />}
      {shorter && <p class="advice">They are computed to different times. <button class="fix" onClick={() => studio.compute(shorter.branch, latest)}>Compute {shorter.name} to {clock(latest)}</button></p>}
      <div class="buttons">{pair.map((number) => <button key={number} onClick={() => studio.show_branch(number)}>Show {named(number)?.name}</button>)}</div>
    </aside>
  );
}

function Line({ title, cells }: { title: string; cells: string[] }) {
  return <tr><th scope="row">{title}</th>{cells.map((cell, i) => <td key={i}>{cell}</td>)}</tr>;
}

/** Both curves on one axis of times. */
function curves(answer: readonly ComparedBranch[], name: (branch: number) => string): PlotData {
  const times = [...new Set(answer.flatMap((one) => one.curve.map(([t]) => t)))].sort((a, b) => a - b);
  const series = answer.map((one) => {
    const at = new Map(one.curve.map(([t, , arrived]) => [t, arrived]));
    return { name: name(one.branch), values: times.map((t) => at.get(t) ?? null) };
  });
  return { x: times, series, x_unit: 's' };
}
