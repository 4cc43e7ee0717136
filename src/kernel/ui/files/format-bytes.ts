const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Formats a number of bytes for people: `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}
