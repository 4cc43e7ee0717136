import { Button, Select } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { Can, Dialogs, Http, SidePanel, Toasts, useMutation, usePageStore, useService, useStore, useTranslation } from '#kernel';
import type { ReplyOf, RowOf } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { administratorAlias, Member, type Role, role, roleMessages, titleOfRole } from '../contract.ts';
import styles from './access.module.css';
import { PanelStore } from './panel-store.ts';

type RoleMember = ReplyOf<(typeof role)['members']>['records'][number];

interface MemberState {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly members: readonly RoleMember[];
  readonly total: number;
  readonly candidates: readonly RoleMember[];
}

const size = 50;

/** Paged members of a role. */
class MemberStore extends PanelStore<MemberState> {
  private searches = 0;

  constructor(
    private readonly http: Http,
    private readonly roleId: string,
  ) {
    super({ status: 'loading', members: [], total: 0, candidates: [] });
  }

  /** Loads the next page. */
  async load(): Promise<void> {
    const current = Math.floor(this.state.members.length / size) + 1;
    const answer = await this.http.send(role.members, { roleId: this.roleId, current, size }).catch(() => undefined);
    const { members } = this.state;
    // Members that are listed stay when further ones cannot be read.
    if (!answer?.success) return this.patch({ status: members.length > 0 ? 'ready' : 'failed' });
    const loadedIds = new Set(members.map(({ id }) => id));
    const added = answer.data.records.filter(({ id }) => !loadedIds.has(id));
    this.patch({ status: 'ready', members: [...members, ...added], total: answer.data.total });
  }

  /** Finds users by name who do not have the role yet. */
  async find(text: string): Promise<void> {
    this.searches += 1;
    const { searches } = this;
    const answer = await this.http.send(role.candidates, { roleId: this.roleId, text }).catch(() => undefined);
    // An earlier search may answer later.
    if (answer?.success && searches === this.searches) this.patch({ candidates: answer.data });
  }

  /** Adds users to the role; resolves true on success. */
  async addMembers(ids: readonly string[]): Promise<boolean> {
    const answer = await this.http.send(role.addMembers, { roleId: this.roleId, ids: [...ids] }).catch(() => undefined);
    if (!answer?.success || this.lifetime.closed) return false;
    this.patch({ members: [], candidates: [] });
    await this.load();
    return true;
  }

  async removeMember(id: string): Promise<void> {
    const answer = await this.http.send(role.removeMembers, { roleId: this.roleId, ids: [id] }).catch(() => undefined);
    if (answer?.success) this.patch({ members: this.state.members.filter((member) => member.id !== id), total: this.state.total - 1 });
  }
}

/** Returns the title of a field. */
const titleOf = (field: Parameters<typeof traitsOf>[0]): LocalizedText => traitsOf(field)?.title ?? ['', ''];

interface MemberPanelProps {
  readonly role: RowOf<typeof Role>;
  readonly onClose: () => void;
}

/** Panel that lists, adds and removes the members of a role. */
export function MemberPanel({ role, onClose }: MemberPanelProps) {
  const t = useTranslation();
  return (
    <SidePanel open title={t(roleMessages.membersOf, { name: t(titleOfRole(role)) })} width={640} onClose={onClose}>
      <Members role={role} />
    </SidePanel>
  );
}

function Members({ role: { id: roleId, roleAlias } }: Pick<MemberPanelProps, 'role'>) {
  const t = useTranslation();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const store = usePageStore(() => new MemberStore(http, roleId));
  useEffect(() => store.loadOnce(), [store]);
  const { status, members, total } = useStore(store, (state) => state);
  const removeMember = async (id: string, name: string) => {
    const title = t(roleMessages.removeMember);
    const question = { title, content: t(roleMessages.removeQuestion, { name }), danger: true };
    if (await dialogs.confirm(question)) await store.removeMember(id);
  };
  if (status === 'failed')
    return (
      <p role="alert" className={styles.state}>
        {t(roleMessages.failed)} <Button onClick={() => void store.load()}>{t(roleMessages.retry)}</Button>
      </p>
    );
  const { account, realName, deptName } = Member.properties;
  return (
    <>
      {roleAlias !== administratorAlias && (
        <Can code="role_grant">
          <AddMembers store={store} />
        </Can>
      )}
      {status === 'ready' && total === 0 ? (
        <p className={styles.state}>{t(roleMessages.noMembers)}</p>
      ) : (
        <table className={styles.members} aria-busy={status === 'loading'}>
          <thead>
            <tr>
              {[account, realName, deptName].map((field) => (
                <th key={titleOf(field)[0]}>{t(titleOf(field))}</th>
              ))}
              <th />
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.id}>
                <td>{member.account}</td>
                <td>{member.realName}</td>
                <td>{member.deptName}</td>
                <td>
                  <Can code="role_grant">
                    <Button type="text" size="small" status="danger" onClick={() => void removeMember(member.id, member.realName)}>
                      {t(roleMessages.removeMember)}
                    </Button>
                  </Can>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {members.length < total && (
        <p className={styles.state}>
          <Button onClick={() => void store.load()}>{t(roleMessages.more)}</Button>
        </p>
      )}
    </>
  );
}

/** Searches users by name and adds them to the role. */
function AddMembers({ store }: { readonly store: MemberStore }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const candidates = useStore(store, (state) => state.candidates);
  const [selected, setSelected] = useState<readonly { readonly value: string; readonly label: string }[]>([]);
  const { isPending, mutate } = useMutation(() => store.addMembers(selected.map(({ value }) => value)), {
    onSuccess: () => {
      toasts.success(t(roleMessages.membersAdded, { count: selected.length }));
      setSelected([]);
    },
  });
  return (
    <div className={styles.addMembers}>
      <Select
        mode="multiple"
        labelInValue
        showSearch
        filterOption={false}
        aria-label={t(roleMessages.candidates)}
        placeholder={t(roleMessages.candidates)}
        notFoundContent={<p className={styles.state}>{t(roleMessages.noCandidates)}</p>}
        options={candidates.map(({ id, account, realName, deptName }) => ({ value: id, label: [realName, account, deptName].filter(Boolean).join(' · ') }))}
        value={[...selected]}
        onVisibleChange={(isOpen) => isOpen && void store.find('')}
        onSearch={(text) => void store.find(text)}
        onChange={(options: { value: string; label: string }[]) => setSelected(options)}
      />
      <Button type="primary" loading={isPending} disabled={selected.length === 0} onClick={() => void mutate()}>
        {t(roleMessages.addMembers)}
      </Button>
    </div>
  );
}
