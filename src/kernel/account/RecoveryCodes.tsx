import { Session } from '../auth/session.ts';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { SubmitButton } from '../shell/SubmitButton.tsx';
import styles from './AccountPage.module.css';
import { CopyText } from './CopyText.tsx';

/** Codes that stand in for a lost authenticator: to copy, to download, and then never again. */
export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const text = useText();
  const account = useService(Session).user?.account ?? '';
  const all = codes.join('\n');
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${all}\n`], { type: 'text/plain' }));
    link.download = `${text('account.codesFile')}-${account}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <p className={styles.why}>{text('account.codesHint')}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyText value={all} />
        <button type="button" className={styles.action} onClick={download}>
          {text('account.download')}
        </button>
        <SubmitButton isBusy={false}>{text('account.codesKept')}</SubmitButton>
      </div>
    </form>
  );
}
