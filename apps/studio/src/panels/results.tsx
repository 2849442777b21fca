// SPDX-License-Identifier: MIT
// What came of a run, once it has ended: who arrived where and when, how long it took, who is lost, where it was densest.
import { place_colors } from '../state/place_colors';
import { clock, digits3 } from '../state/numbers';
import { use_polled } from '../state/polled';
import { outcome, result_rows } from '../state/results';
import { selection } from '../state/selection';
import { use_signal } from '../state/signal';
import { download } from '../state/studio';
import type { Results } from '../protocol/messages';
import { use_app } from './context';
import { Icon } from './icons';

const kEveryMs = 1000;

export function ResultsCard() {
  const { studio, theme } = use_app();
  const branch = use_signal(studio.cursor).branch;
  const branches = use_signal(studio.branches);
  const document = use_signal(studio.document);
  const dark = use_signal(theme.dark);
  const end = branches.find((one) => one.branch === branch)?.end ?? 0;
  const { answer: results, trouble } = use_polled<Results>(() => studio.connection.ask('results', { branch }), () => String(studio.branch(branch)?.end ?? 0), kEveryMs, `${document?.name} ${branch} ${end}`);
  const colors = document ? place_colors(document, dark) : new Map<string, string>();
  const reached = (results?.goals ?? []).filter((goal) => goal.arrived > 0);
  const most = Math.max(1, ...reached.map((goal) => goal.arrived));
  const peak = results?.peak;
  const show_peak = () => {
    if (!peak) return;
    studio.seek(peak.time);
    selection.value = { what: 'place', x: peak.x, y: peak.y, layer: peak.layer };
  };
  return (
    <aside class="panel inspector results" aria-label="Results">
      <button class="close" aria-label="Close the results" onClick={() => studio.show_results(false)}><Icon name="close" /></button>
      <h2>Results</h2>
      {trouble && <p class="empty">{trouble}</p>}
      {!results && !trouble && <p class="empty">Counting…</p>}
      {results && (
        <>
          <p class="outcome">{outcome(results)}</p>
          {reached.length > 0 && (
            <>
              <h3>Arrivals by goal</h3>
              <ul class="bars">
                {reached.map((goal) => (
                  <li key={goal.name} title={goal.first === null ? '' : `${goal.name}: the first at ${clock(goal.first)}, the last at ${clock(goal.last ?? 0)}`}>
                    <span>{goal.name}</span><b>{goal.arrived}</b>
                    <i style={{ width: `${(100 * goal.arrived) / most}%`, background: colors.get(goal.name) ?? 'var(--accent)' }} />
                  </li>
                ))}
              </ul>
            </>
          )}
          <dl>
            {result_rows(results).map((row) => <div key={row.title} class={row.is_bad ? 'fact bad' : 'fact'} title={row.from}><dt>{row.title}</dt><dd>{row.value}</dd></div>)}
            {peak && (
              <div class="fact" title="The highest density that the overlay shows, looked up every second: each person is spread over 1.5 m">
                <dt>peak density</dt><dd>{digits3(peak.density)} /m² at {clock(peak.time)} <button class="more" onClick={show_peak}>Show</button></dd>
              </div>
            )}
          </dl>
          {results.notices && results.notices.length > 0 && <ul class="notes">{results.notices.slice(0, 3).map((words) => <li key={words}>{words}</li>)}{results.notices.length > 3 && <li>and {results.notices.length - 3} more</li>}</ul>}
          {!results.complete && <p class="empty">Counting on…</p>}
          <div class="buttons">
            <button onClick={() => (studio.charts_open.value = true)}><Icon name="chart" /> Charts</button>
            <button onClick={() => download(new Blob([results_csv(results)], { type: 'text/csv' }), `${document?.name ?? 'run'}_results.csv`)}>CSV</button>
          </div>
        </>
      )}
    </aside>
  );
}

/** One row a goal, then one a figure. */
export function results_csv(results: Results): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows: (string | number | null)[][] = [['goal', 'arrived', 'first_s', 'last_s'], ...results.goals.map((goal) => [goal.name, goal.arrived, goal.first, goal.last]), [], ['figure', 'value', 'unit']];
  const travel = results.travel_time;
  const figures: [string, number | null | undefined, string][] = [
    ['people', results.people, ''], ['arrived', results.arrived, ''], ['still there', results.still_there, ''], ['lost at the end', results.lost, ''], ['stuck at some time', results.stuck, ''],
    ['last arrival', results.last_arrival, 's'], ['mean travel time', travel?.mean, 's'], ['median travel time', travel?.median, 's'], ['95 % travel time', travel?.p95, 's'], ['longest travel time', travel?.high, 's'],
    ['peak density', results.peak?.density, '1/m2'], ['time of peak density', results.peak?.time, 's'], ['end of the run', results.time, 's'],
  ];
  for (const [name, value, unit] of figures) if (value !== undefined && value !== null) rows.push([name, value, unit]);
  return rows.map((row) => row.map((cell) => (cell === null ? '' : quoted(String(cell)))).join(',')).join('\n') + '\n';
}
