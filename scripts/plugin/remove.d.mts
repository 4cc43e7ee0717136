export function dropStatements(id: string, tables: readonly string[]): string[];
