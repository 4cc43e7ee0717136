type Environment = Readonly<Record<string, string | undefined>>;

export function knownBrowser(environment?: Environment): string | undefined;
export function otherBrowser(path: string, environment?: Environment): string | undefined;
export function isShell(path: string): boolean;
