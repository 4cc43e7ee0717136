export function upgraded(text: string, path: string): { text: string; titles: string[] };
export function upgradeFolders(folders: readonly string[], isDry?: boolean): { file: string; titles: string[] }[];
