import type { ReactNode } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Permission } from './permission.ts';

const none: ReadonlySet<string> = new Set();

/** Tells whether the signed-in user holds a code; follows grants live. */
export function useCan(code: string): boolean {
  return useGrants()(code);
}

/** Shows its children to users who hold the code. */
export function Can({ code, children }: { readonly code: string; readonly children: ReactNode }) {
  return useCan(code) ? children : null;
}

/** Shows its children unless `is_admin` is greater than 0. */
export function AdministratorOnly({ children }: { readonly children: ReactNode }) {
  return useStream(useService(Permission).isAdministrator$, false) ? children : null;
}

/** Returns a function that checks any number of codes; `undefined` is always granted. Follows grants live. */
export function useGrants(): (code: string | undefined) => boolean {
  const granted = useStream(useService(Permission).codes$, none);
  return (code) => code === undefined || granted.has(code);
}
