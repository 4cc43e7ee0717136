import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Permission } from './permission.ts';

const none: ReadonlySet<string> = new Set();

/** Returns a function that checks any number of codes; `undefined` is always granted. Follows grants live. */
export function useGrants(): (code: string | undefined) => boolean {
  const granted = useStream(useService(Permission).codes$, none);
  return (code) => code === undefined || granted.has(code);
}
