// SPDX-License-Identifier: MIT
// What is wrong, where, and how to put it right; a button where the change is safe.
import type { Problem } from '../protocol/messages';
import { pointer_of, pointer_parts } from '../state/json';
import { selection } from '../state/selection';
import { use_app } from './context';

/** Pointer of the thing a problem is about: /populations/0/count → /populations/0. */
export function item_pointer(pointer: string): string {
  const parts = pointer_parts(pointer);
  if (parts[0] === 'settings') return parts[1] === 'interest' && parts[2] === 'regions' ? pointer_of(...parts.slice(0, 4)) : '/settings';
  if (parts[0] === 'scene' && parts[1] === 'layers') return pointer_of(...parts.slice(0, 5));
  if (parts[0] === 'scene' || parts[0] === 'measurements') return pointer_of(...parts.slice(0, 3));
  return pointer_of(...parts.slice(0, 2));
}

export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  return (
    <section class="problems" aria-label="Problems">
      {problems.slice(0, 20).map((problem, i) => <OneProblem key={i} problem={problem} />)}
      {problems.length > 20 && <p class="empty">and {problems.length - 20} more</p>}
    </section>
  );
}

export function OneProblem({ problem }: { problem: Problem }) {
  const { studio, stage } = use_app();
  const fix = studio.fix_of(problem);
  const go = () => {
    if (problem.pointer !== undefined) selection.value = { what: 'item', pointer: item_pointer(problem.pointer) };
    if (problem.place) stage.frame_box([problem.place[0] - 6, problem.place[1] - 6, problem.place[0] + 6, problem.place[1] + 6], 0);
  };
  const where = problem.pointer || problem.where;
  return (
    <div class={problem.severity === 'warning' ? 'problem warning' : 'problem'} role="alert">
      {where && (problem.pointer !== undefined || problem.place ? <button class="where" onClick={go}>{where}</button> : <span class="where">{where}</span>)}
      <p>{problem.what}{problem.allowed ? `; ${problem.allowed}` : ''}</p>
      {fix ? <button class="fix" onClick={fix.apply}>{fix.words}</button> : problem.fix && <p class="advice">{problem.fix}</p>}
    </div>
  );
}
