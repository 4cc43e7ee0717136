import type { Entity } from '#shared/contract';
import { stateTitle, transitionsOf } from '#shared/states';
import type { LocalizedText } from '#shared/text';
import { Bus } from '../../base/bus/bus.ts';
import { useService } from '../../base/react/services.tsx';
import { Http } from '../../platform/http/http.ts';
import { type Translate, useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import type { CrudCalls, CrudPageProps, CrudScreen, Row, RowAction, ToolbarAction } from '../model/crud-screen.ts';
import { rowName } from '../model/entity-fields.ts';
import { RowsChanged } from '../model/rows-changed.ts';

/** Returns the props of a screen with actions for each transition of its entity: on a row before its own actions, and on the selected rows after them. */
export function useStateActions(props: CrudPageProps): CrudPageProps {
  const http = useService(Http);
  const bus = useService(Bus);
  const may = useGrants();
  const t = useTranslation();
  const actions = stateActions(props.crud, { http, bus, t }).filter(({ code }) => may(code));
  if (actions.length === 0) return props;
  const { row = [], toolbar = [] } = props.actions ?? {};
  const onSelection = actions.map(({ title, code, when, change }): ToolbarAction => ({ title, code, when, isForSelection: true, onClick: change }));
  const onRow = actions.map(({ change, ...action }): RowAction => ({ ...action, onClick: (row, screen) => change([row.id], screen, row) }));
  return { ...props, actions: { ...props.actions, row: [...onRow, ...row], toolbar: [...toolbar, ...onSelection] } } as CrudPageProps;
}

interface StateActionDeps {
  readonly http: Http;
  readonly bus: Bus;
  readonly t: Translate;
}

/** A transition that users make on one or several rows. */
interface StateAction extends Required<Pick<RowAction, 'title' | 'code' | 'isPrimary' | 'moves' | 'when'>> {
  /** Changes the rows with these ids; `row` is the only one, if it is known. */
  readonly change: (ids: readonly string[], screen: CrudScreen, row?: Row) => void;
}

function stateActions({ entity, transitions = {} }: CrudCalls, { http, bus, t }: StateActionDeps): StateAction[] {
  return transitionsOf(entity).flatMap(({ name, field, title, code, from, to, confirm, fields = [], isPrimary = false }): StateAction[] => {
    const call = transitions[name];
    if (!call || code === undefined) return [];
    const done = doneText(entity, field, to);
    const many: LocalizedText = [`对选中的 {count} 项执行「${title[0]}」？`, `Apply “${title[1]}” to {count} selected items?`];
    const send = async (ids: readonly string[]) => {
      const { success, data } = await http.send(call, { ids: [...ids], ...(ids.length > 1 ? { partial: true } : {}) });
      return success ? data : undefined;
    };
    const change = (ids: readonly string[], screen: CrudScreen, row?: Row) => {
      if (fields.length === 0) {
        const action = { title, done, ...(confirm ? { question: { one: confirm, many } } : {}), send };
        return void screen.batch(ids, action).then((isDone) => isDone && bus.emit(RowsChanged, { entity: entity.name }));
      }
      const form = { confirm: title, done, call, fields, input: { ids } };
      if (!row) return screen.openRowAction({}, { ...form, title, note: t(many, { count: ids.length }) });
      const name = rowName(entity, row, t) ?? row.id;
      const named: LocalizedText = [`${title[0]}「${name}」`, `${title[1]} “${name}”`];
      screen.openRowAction(row, { ...form, title: named, ...(confirm ? { note: t(confirm, { name }) } : {}) });
    };
    return [{ title, code, isPrimary, moves: { [field]: to }, when: (row) => from.some((state) => state === row[field]), change }];
  });
}
/** Returns the message after a change, which names the new state. */
function doneText({ fields }: Entity, field: string, to: string | number): LocalizedText {
  const [zh, en] = stateTitle(fields[field] as Entity['row'], to);
  return [`状态已改为“${zh}”`, `The state is now “${en}”`];
}
