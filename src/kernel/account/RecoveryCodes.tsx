import { Session } from '../auth/session.ts';
import { useText } from '../i18n/use-words.ts';
import { saveFile } from '../save-file.ts';
import { useService } from '../services.tsx';
import { SubmitButton } from '../shell/SubmitButton.tsx';
import styles from './AccountPage.module.css';
import { CopyText } from './CopyText.tsx';

/** Shows the recovery codes for a lost authenticator, to copy or to download; they are shown only once. */
export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const text = useText();
  const account = useService(Session).user?.account ?? '';
  const all = codes.join('\n');
  const download = () => saveFile(`${text('account.codesFile')}-${account}.txt`, new Blob([`${all}\n`], { type: 'text/plain' }));
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
