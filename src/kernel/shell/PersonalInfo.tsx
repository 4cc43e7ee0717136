import { Session } from '../auth/session.ts';
import type { TextKey } from '../i18n/texts.ts';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import { PasswordForm } from './PasswordForm.tsx';
import styles from './PersonalInfo.module.css';
import { Toasts } from './toasts.ts';

/** Who is signed in, and the form that changes their password, until a plugin claims the page. */
export function PersonalInfo() {
  const text = useText();
  const session = useService(Session);
  const toasts = useService(Toasts);
  const user = useStream(session.user$, session.user);
  const facts: readonly (readonly [TextKey, string | undefined])[] = [
    ['shell.accountName', user?.account || user?.user_name],
    ['shell.realName', user?.real_name],
    ['shell.nickName', user?.nick_name],
    ['shell.role', user?.role_name],
    ['shell.tenant', user?.tenant_id],
  ];
  return (
    <div className={styles.page}>
      <section className={styles.panel}>
        <h2>{text('shell.profileSection')}</h2>
        <dl className={styles.facts}>
          {facts.map(([key, value]) => (
            <div key={key}>
              <dt>{text(key)}</dt>
              <dd>{value || '—'}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className={styles.panel}>
        <h2>{text('shell.passwordSection')}</h2>
        <PasswordForm onChanged={() => toasts.success(text('shell.passwordChanged'))} />
      </section>
    </div>
  );
}
