export const supportedNodes: readonly string[];
export function otherNodes(): string[];
export function nodeBinary(line: string): { readonly version: string; readonly path: string } | undefined;
