import { useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import { Permission } from './permission.ts';

const none: ReadonlySet<string> = new Set();

/** Judges any number of codes; what needs no code is granted. Follows grants live. */
export function useGrants(): (code: string | undefined) => boolean {
  const granted = useStream(useService(Permission).codes$, none);
  return (code) => code === undefined || granted.has(code);
}
