import { passwordLength, passwordProblems, passwordWeakness } from '#shared/password-rules';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../primitives/Icon.tsx';
import styles from './PasswordForm.module.css';

/** Lists the rules of a new password beside its field and shows the reason a typed one is refused. The server applies the same rules. */
export function PasswordRules({ password, about }: { readonly password: string; readonly about: readonly (string | undefined)[] }) {
  const t = useTranslation();
  const weakness = passwordWeakness(password, about);
  const { length } = [...password];
  const rules = [
    { rule: t('signIn.ruleLength', passwordLength), holds: length >= passwordLength.min && length <= passwordLength.max },
    { rule: t('signIn.ruleGuess'), holds: password !== '' && weakness === undefined },
  ];
  return (
    <div>
      <ul className={styles.rules}>
        {rules.map(({ rule, holds }) => (
          <li key={rule} data-holds={holds}>
            <Icon name="check" size={14} />
            {rule}
          </li>
        ))}
      </ul>
      <p className={styles.weakness} role="status">
        {length >= passwordLength.min && weakness ? t(passwordProblems[weakness].message) : ''}
      </p>
    </div>
  );
}
