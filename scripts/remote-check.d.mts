import type { RemoteListing } from '../src/shared/manifest/remote.ts';

export function remoteProblems(remotes?: readonly RemoteListing[]): Promise<string[]>;
