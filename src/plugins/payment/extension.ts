import { Http, type RowAction, useService } from '#kernel';
import type { Call } from '#shared/contract';
import type { LocalizedText } from '#shared/text';
import { providerStatus } from './routing-contract.ts';

const messages = {
  enable: ['启用', 'Enable'],
  disable: ['停用', 'Disable'],
  enabled: ['已启用', 'Enabled'],
  disabled: ['已停用', 'Disabled'],
} as const satisfies Record<string, LocalizedText>;

interface ProviderRow {
  readonly id: string;
  readonly status: (typeof providerStatus)[keyof typeof providerStatus];
}

/** Tests whether the configuration of a provider is disabled. */
export const isProviderOff = ({ status }: ProviderRow): boolean => status === providerStatus.off;

/** Returns the row actions that enable and disable the configuration of a provider. */
export function useProviderActions<R extends ProviderRow>(calls: { readonly enable: Call; readonly disable: Call }, code: string): RowAction<R>[] {
  const http = useService(Http);
  const action = (call: Call, title: LocalizedText, done: LocalizedText, when: (row: ProviderRow) => boolean): RowAction<R> => ({
    title,
    code,
    when,
    onClick: ({ id }, { batch }) => batch([id], { title, done, send: async () => ((await http.send(call, { id })).success ? null : undefined) }),
  });
  return [
    action(calls.enable, messages.enable, messages.enabled, isProviderOff),
    action(calls.disable, messages.disable, messages.disabled, (row) => !isProviderOff(row)),
  ];
}
