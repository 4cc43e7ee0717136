export const sharedFolders: string[];
