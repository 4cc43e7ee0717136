import { isOpenable } from '#shared/text';

/** Opens an address in a new window without access to the console (`noopener`); an address that could run a script is not opened. */
export function openAddress(address: string): void {
  if (isOpenable(address)) window.open(address, '_blank', 'noopener');
}
