// SPDX-License-Identifier: MIT
// Light or dark: as the system has it until somebody chooses.
import { signal } from './signal';

const kStored = 'throng-theme';

export class Theme {
  readonly dark = signal(false);

  constructor() {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const chosen = read();
    this.dark.value = chosen === null ? system.matches : chosen === 'dark';
    system.addEventListener('change', () => {
      if (read() === null) this.dark.value = system.matches;
    });
    this.apply();
    this.dark.watch(() => this.apply());
  }

  toggle(): void {
    this.dark.value = !this.dark.value;
    try {
      localStorage.setItem(kStored, this.dark.value ? 'dark' : 'light');
    } catch {
      // A page without storage forgets it: no harm.
    }
  }

  private apply(): void {
    document.documentElement.dataset['theme'] = this.dark.value ? 'dark' : 'light';
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(kStored);
  } catch {
    return null;
  }
}
