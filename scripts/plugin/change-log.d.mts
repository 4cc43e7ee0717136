/** Reads what a version of a plugin changes, of its `CHANGELOG.md`. */
export function changesOf(folder: string, version: string): string[];
