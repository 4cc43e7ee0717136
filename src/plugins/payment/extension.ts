import { Http, type RowAction, useService } from '#kernel';
import type { Call } from '#shared/contract';
import type { LocalizedText } from '#shared/text';

const messages = {
  enable: ['启用', 'Enable'],
  disable: ['停用', 'Disable'],
  enabled: ['已启用', 'Enabled'],
  disabled: ['已停用', 'Disabled'],
} as const satisfies Record<string, LocalizedText>;

interface ProviderActions<Row> {
  readonly enable: Call;
  readonly disable: Call;
  /** Permission code of both calls. */
  readonly code: string;
  /** Tests whether a configuration is disabled. */
  readonly isOff: (row: Row) => boolean;
}

/** Returns the row actions that enable and disable the configuration of a provider. */
export function useProviderActions<Row extends { readonly id: string }>({ enable, disable, code, isOff }: ProviderActions<Row>): RowAction<Row>[] {
  const http = useService(Http);
  const action = (call: Call, title: LocalizedText, done: LocalizedText, when: (row: Row) => boolean): RowAction<Row> => ({
    title,
    code,
    when,
    onClick: ({ id }, { batch }) => batch([id], { title, done, send: async () => ((await http.send(call, { id })).success ? null : undefined) }),
  });
  return [action(enable, messages.enable, messages.enabled, isOff), action(disable, messages.disable, messages.disabled, (row) => !isOff(row))];
}
