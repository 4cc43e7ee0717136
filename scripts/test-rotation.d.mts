export function turnOfDay(now?: number): number;
export function tenthOf(files: readonly string[], turn: number): string[];
export function shardOfTurn(index: number, count: number, turn: number): string;
