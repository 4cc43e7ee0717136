export function nodeVersionProblem(version: string): string | undefined;
export function requireNodeVersion(): void;
