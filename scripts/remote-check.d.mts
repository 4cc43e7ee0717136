import type { RemoteListing } from '../src/shared/remote.ts';

export function remoteProblems(remotes?: readonly RemoteListing[]): Promise<string[]>;
