// SPDX-License-Identifier: MIT
import { use_signal } from '../state/signal';
import { clock } from '../state/numbers';
import { type Mode, when } from '../state/studio';
import { use_app } from './context';
import { Icon } from './icons';

const kModes: readonly [Mode, string][] = [['scene', 'Scene'], ['run', 'Run'], ['compare', 'Compare']];

export function Header() {
  const { studio, theme } = use_app();
  const document = use_signal(studio.document);
  const mode = use_signal(studio.mode);
  const busy = use_signal(studio.busy);
  const link = use_signal(studio.link);
  const dark = use_signal(theme.dark);
  const problems = use_signal(studio.problems);
  const errors = problems.filter((problem) => problem.severity !== 'warning');
  use_signal(studio.history.current);
  const live = studio.connection.live;
  return (
    <header class="header">
      <button class="home" onClick={() => studio.leave(() => studio.close())} disabled={!live} title="All scenes">
        <Logo />
        <span class="product">Throng</span>
      </button>
      {document && (
        <div class="title">
          <h1>{document.name}</h1>
          {live && <SavedState />}
        </div>
      )}
      {busy && <span class="busy" role="status">{busy} <button class="more" onClick={() => studio.cancel()}>Cancel</button></span>}
      <Computing />
      {link === 'lost' && <span class="lost" role="alert">Connection lost: trying again…</span>}
      {document && errors.length > 0 && live && (
        <button class="problem-count" onClick={() => (studio.mode.value = 'scene')}>
          <Icon name="warning" />
          {errors.length === 1 ? '1 problem' : `${errors.length} problems`}
        </button>
      )}
      <div class="spread" />
      {document && live && (
        <div class="modes" role="tablist" aria-label="What to do">
          {kModes.map(([name, title]) => (
            <button key={name} role="tab" aria-selected={mode === name} class={mode === name ? 'mode on' : 'mode'} onClick={() => (studio.mode.value = name)}>
              {title}
            </button>
          ))}
        </div>
      )}
      {document && (
        <>
          {live && (
            <>
              <button class="tool" title={`Undo${studio.history.undo_label ? `: ${studio.history.undo_label}` : ''} (Ctrl+Z)`} aria-label="Undo" disabled={!studio.history.undo_label} onClick={() => studio.undo()}><Icon name="undo" /></button>
              <button class="tool" title={`Redo${studio.history.redo_label ? `: ${studio.history.redo_label}` : ''} (Ctrl+Shift+Z)`} aria-label="Redo" disabled={!studio.history.redo_label} onClick={() => studio.redo()}><Icon name="redo" /></button>
              <button class="tool" title="Save (Ctrl+S)" aria-label="Save" onClick={() => (studio.dialog.value = 'save')}><Icon name="save" /></button>
            </>
          )}
          <button class="tool" title="Search people, areas… (Ctrl+K)" aria-label="Search" onClick={() => (studio.dialog.value = 'search')}><Icon name="search" /></button>
          <button class="tool" title="Share" aria-label="Share" onClick={() => (studio.dialog.value = 'share')}><Icon name="share" /></button>
        </>
      )}
      <button class="tool" title={dark ? 'Light' : 'Dark'} aria-label={dark ? 'Use light colours' : 'Use dark colours'} onClick={() => theme.toggle()}><Icon name={dark ? 'sun' : 'moon'} /></button>
      <button class="tool" title="Keys (?)" aria-label="Keys" onClick={() => (studio.dialog.value = 'keys')}>?</button>
    </header>
  );
}

/** Where what is edited lies: in a file, in a draft on disk, or nowhere yet. */
function SavedState() {
  const { studio } = use_app();
  const document = use_signal(studio.document);
  const keeping = use_signal(studio.drafts.keeping);
  use_signal(studio.history.current);
  if (!document) return null;
  if (studio.is_saved) return <span class="saved" data-kept="saved" title={`It is the file ${document.path ?? ''}`}>saved</span>;
  if (studio.is_clean) return <span class="unchanged" data-kept="unchanged" title="Nothing is edited">{document.scene === undefined ? 'unchanged' : 'example'}</span>;
  switch (keeping.state) {
    case 'kept': return <span class="unsaved" data-kept="draft" title={`A draft of ${document.name}, not saved: on disk since ${when(keeping.at)}. Ctrl+S makes a file of it.`}>draft, not saved</span>;
    case 'failed': return <span class="lost" role="alert" data-kept="nothing" title={`No draft could be kept: ${keeping.why}`}>not saved, no draft</span>;
    default: return <span class="unsaved" data-kept="nothing">not saved</span>;
  }
}

function Computing() {
  const { studio } = use_app();
  const computing = use_signal(studio.computing);
  const branches = use_signal(studio.branches);
  if (!computing) return null;
  const end = branches.find((one) => one.branch === computing.branch)?.end ?? 0;
  return <span class="busy" role="status">Computing {clock(end, false)} of {clock(computing.to, false)} <button class="more" onClick={() => studio.stop_computing()}>Stop</button></span>;
}

export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <g fill="var(--accent)"><circle cx="7" cy="11" r="3.4" /><circle cx="19" cy="7" r="3.4" /><circle cx="14" cy="20" r="3.4" /></g>
      <g fill="var(--warm)"><circle cx="25" cy="18" r="3.4" /><circle cx="6" cy="25" r="2.6" /></g>
    </svg>
  );
}
