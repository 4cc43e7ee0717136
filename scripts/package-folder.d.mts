export function findPackage(name: string, from?: string): string | undefined;
export function packageFolder(name: string): string;
