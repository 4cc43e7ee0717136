export function npmCommand(environment?: Readonly<Record<string, string | undefined>>): [string, ...string[]];
export function npmFailure(output: string, ending: string | number): string;
