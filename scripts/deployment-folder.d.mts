export function writeStartFiles(folder: string): void;
export function copyPackages(folder: string): void;
