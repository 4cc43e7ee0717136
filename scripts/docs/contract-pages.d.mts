export function writeContractPages(folder: string): Promise<string[]>;
