import { Button, Checkbox } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { Http, SidePanel, Toasts, useService, useTranslation, useUnsavedChanges } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { type UserRow, user } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import styles from './UserPage.module.css';

interface RolesPanelProps {
  readonly ids: readonly string[];
  /** The user, when only one is selected. */
  readonly of: UserRow | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Panel that assigns roles to one or several users. */
export function RolesPanel({ ids, of, onClose, onSaved }: RolesPanelProps) {
  const t = useTranslation();
  const title = of ? t(consoleMessages.rolesOf, { name: of.realName }) : t(consoleMessages.rolesOfMany, { count: ids.length });
  return (
    <SidePanel open title={title} width={480} onClose={onClose}>
      <RoleChoice ids={ids} held={of?.roleId ?? []} onClose={onClose} onSaved={onSaved} />
    </SidePanel>
  );
}

type RoleChoiceProps = Omit<RolesPanelProps, 'of'> & { readonly held: readonly string[] };

function RoleChoice({ ids, held, onClose, onSaved }: RoleChoiceProps) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const roles = useRoles(held);
  const [wanted, setWanted] = useState<readonly string[]>(held);
  const [isSaving, setIsSaving] = useState(false);
  useUnsavedChanges(wanted !== held);

  const save = async () => {
    setIsSaving(true);
    const answer = await http.send(user.grant, { userIds: [...ids], roleIds: [...wanted] }).finally(() => setIsSaving(false));
    if (!answer.success) return;
    toasts.success(t(consoleMessages.saved));
    onSaved();
    onClose();
  };
  return (
    <div className={styles.panel}>
      {ids.length > 1 && <p>{t(consoleMessages.rolesReplaced)}</p>}
      {roles?.length === 0 && <p>{t(consoleMessages.noRoles)}</p>}
      <fieldset className={styles.choices} aria-busy={!roles}>
        <legend className="visually-hidden">{t(consoleMessages.roles)}</legend>
        {roles?.map(({ id, name }) => (
          <Checkbox key={id} checked={wanted.includes(id)} onChange={(isWanted) => setWanted(isWanted ? [...wanted, id] : wanted.filter((one) => one !== id))}>
            {name}
          </Checkbox>
        ))}
      </fieldset>
      <div className={styles.buttons}>
        <Button type="primary" loading={isSaving} disabled={!roles} onClick={() => void save()}>
          {t(consoleMessages.save)}
        </Button>
        <Button onClick={onClose}>{t(consoleMessages.cancel)}</Button>
      </div>
    </div>
  );
}

/** Returns the roles that can be granted and those already assigned, which stay unless they are removed. */
function useRoles(held: readonly string[]): ReplyOf<typeof user.roles> | undefined {
  const http = useService(Http);
  const [roles, setRoles] = useState<ReplyOf<typeof user.roles>>();
  const ids = held.join(',');
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const read = async () => {
      const [given, kept] = await Promise.all([http.send(user.roles, {}, { signal }), ids ? http.send(user.roles, { ids }, { signal }) : undefined]);
      if (signal.aborted || !given.success) return;
      const known = new Set(given.data.map(({ id }) => id));
      setRoles([...given.data, ...(kept?.success ? kept.data.filter(({ id }) => !known.has(id)) : [])]);
    };
    read().catch(() => undefined);
    return () => leaving.abort();
  }, [http, ids]);
  return roles;
}
