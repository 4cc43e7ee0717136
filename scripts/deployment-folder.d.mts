export function furnish(folder: string): void;
export function layPackages(folder: string): void;
