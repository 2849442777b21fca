// SPDX-License-Identifier: MIT
// Numbers as people read them: three significant digits and a unit.

export function digits3(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en-GB').replaceAll(',', ' ');
  const text = value.toPrecision(3);
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text;
}

export function with_unit(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? '–' : `${digits3(value)} ${unit}`.trim();
}

/** 130.44 → "2:10.4". */
export function clock(seconds: number, tenths = true): string {
  const all = tenths ? Math.round(seconds * 10) / 10 : Math.round(seconds);
  const minutes = Math.floor(all / 60);
  const rest = all - minutes * 60;
  const text = tenths ? rest.toFixed(1) : String(Math.round(rest));
  return `${minutes}:${rest < 10 ? '0' : ''}${text}`;
}

export function file_size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${digits3(bytes / 1e3)} kB`;
  return `${digits3(bytes / 1e6)} MB`;
}
