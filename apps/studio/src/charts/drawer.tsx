// SPDX-License-Identifier: MIT
// The charts, pulled up from below: live while a run grows, and on recordings.
import { useEffect, useState } from 'preact/hooks';
import { use_app } from '../panels/context';
import { RequestError, type Series } from '../protocol/messages';
import { use_signal } from '../state/signal';
import { Plot } from './plot';
import { charts_of } from './series_charts';

const kEveryMs = 1000;

export function ChartDrawer() {
  const { studio } = use_app();
  const open = use_signal(studio.charts_open);
  const branch = use_signal(studio.cursor).branch;
  const [series, set_series] = useState<Series | null>(null);
  const [trouble, set_trouble] = useState<string | null>(null);
  useEffect(() => {
    if (!open) return undefined;
    let seen = -1;
    let busy = false;
    let alive = true;
    const refresh = async () => {
      const end = studio.branch(branch)?.end ?? 0;
      if (busy || end === seen) return;
      busy = true;
      seen = end;
      try {
        const got = await studio.connection.ask('series', { branch });
        if (alive) set_series(got);
        if (alive) set_trouble(null);
      } catch (error) {
        if (alive) set_trouble(error instanceof RequestError ? (error.problems[0]?.what ?? error.message) : String(error));
      } finally {
        busy = false;
      }
    };
    void refresh();
    const timer = setInterval(() => void refresh(), kEveryMs);
    return () => {
      alive = false;
      clearInterval(timer);
    };
  }, [open, branch]);
  if (!open) return null;
  return (
    <section class={series && series.time.length > 1 ? 'drawer' : 'drawer bare'} aria-label="Charts" tabIndex={0}>
      {trouble && <p class="empty">{trouble}</p>}
      {series && charts_of(series).map((chart) =>
        chart.data.x.length > 1 && chart.data.series.length > 0
          ? <Plot key={chart.title} title={chart.title} unit={chart.unit} data={chart.data} height={150} />
          : <figure key={chart.title} class="plot"><figcaption>{chart.title}</figcaption><p class="empty">{chart.empty}</p></figure>,
      )}
    </section>
  );
}
