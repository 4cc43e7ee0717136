import type { Entity } from '#shared/contract';
import { stateTitle, transitionsOf } from '#shared/states';
import type { LocalizedText } from '#shared/text';
import { Bus } from '../../base/bus/bus.ts';
import { useService } from '../../base/react/services.tsx';
import { Http } from '../../platform/http/http.ts';
import { type Translate, useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudCalls, CrudPageProps, CrudScreen, Row, RowAction } from '../model/crud-screen.ts';
import { rowName } from '../model/entity-fields.ts';
import { RowsChanged } from '../model/rows-changed.ts';

/** Returns the props of a screen with an action for each transition of its entity, before its own actions. */
export function useStateActions(props: CrudPageProps): CrudPageProps {
  const http = useService(Http);
  const bus = useService(Bus);
  const t = useTranslation();
  const actions = stateActions(props.crud, { http, bus, t });
  if (actions.length === 0) return props;
  return { ...props, actions: { ...props.actions, row: [...actions, ...(props.actions?.row ?? [])] } } as CrudPageProps;
}

interface StateActionDeps {
  readonly http: Http;
  readonly bus: Bus;
  readonly t: Translate;
}

function stateActions({ entity, transitions = {} }: CrudCalls, { http, bus, t }: StateActionDeps): RowAction[] {
  return transitionsOf(entity).flatMap(({ name, field, title, code, from, to, confirm, fields = [], isPrimary = false }): RowAction[] => {
    const call = transitions[name];
    if (!call || code === undefined) return [];
    const done = doneText(entity, field, to);
    const change = (row: Row, screen: CrudScreen) => {
      const name = rowName(entity, row, t) ?? row.id;
      if (fields.length > 0)
        return screen.openRowAction(row, { title, confirm: title, done, call, fields, ...(confirm ? { note: t(confirm, { name }) } : {}) });
      const question = confirm ? { question: { one: confirm, many: confirm } } : {};
      const send = async (ids: readonly string[]) => {
        const { success, data } = await http.send(call, { ids: [...ids] });
        return success ? data : undefined;
      };
      void screen.batch([row.id], { title, done, ...question, send }).then((isDone) => isDone && bus.emit(RowsChanged, { entity: entity.name }));
    };
    return [{ title, code, isPrimary, moves: { [field]: to }, when: (row) => from.some((state) => state === row[field]), onClick: change }];
  });
}

/** Returns the message after a change, which names the new state. */
function doneText({ fields }: Entity, field: string, to: string | number): LocalizedText {
  const [zh, en] = stateTitle(fields[field] as Entity['row'], to);
  return [`状态已改为“${zh}”`, `The state is now “${en}”`];
}
