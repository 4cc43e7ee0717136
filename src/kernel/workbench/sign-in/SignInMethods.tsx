import { Suspense } from 'react';
import type { SignInWays } from '#shared/sign-in-ways';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/part.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from './SignInMethods.module.css';
import type { SignInStep } from './steps/sign-in-step.ts';
import { Way } from './Way.tsx';

const SocialWays = lazyComponent(() => import('./SocialWays.tsx'));

interface SignInMethodsProps {
  readonly ways: SignInWays;
  readonly chosen: SignInStep['kind'];
  readonly onChoose: (kind: 'account' | 'phone' | 'register') => void;
  readonly onLeaveFor: (source: string) => void;
}

/** Lists the sign-in methods that are not on screen, in a row below the one that is. */
export function SignInMethods({ ways, chosen, onChoose, onLeaveFor }: SignInMethodsProps) {
  const t = useTranslation();
  if (!hasOthers(ways) && !ways.register) return null;
  return (
    <section className={styles.ways} aria-label={t('signIn.otherWays')}>
      {hasOthers(ways) && <Row ways={ways} chosen={chosen} onChoose={onChoose} onLeaveFor={onLeaveFor} />}
      {ways.register && (
        <button type="button" className={styles.register} onClick={() => onChoose('register')}>
          {t('signIn.register')}
        </button>
      )}
    </section>
  );
}

/** Tells whether the tenant has a sign-in method other than account and password. */
const hasOthers = ({ sms, sso, social }: SignInWays) => sms || sso || social.length > 0;

function Row({ ways, chosen, onChoose, onLeaveFor }: SignInMethodsProps) {
  const t = useTranslation();
  return (
    <>
      <p className={styles.title} aria-hidden="true">
        {t('signIn.otherWays')}
      </p>
      <div className={styles.row}>
        {chosen === 'phone' && <Way icon={<Icon name="user" />} label={t('signIn.byAccount')} onChoose={() => onChoose('account')} />}
        {ways.sms && chosen !== 'phone' && <Way icon={<Icon name="phone" />} label={t('signIn.byPhone')} onChoose={() => onChoose('phone')} />}
        {ways.sso && <Way icon={<Icon name="key" />} label={t('signIn.bySso')} onChoose={() => onLeaveFor('sso')} />}
        <Suspense>{ways.social.length > 0 && <SocialWays sources={ways.social} onChoose={onLeaveFor} />}</Suspense>
      </div>
    </>
  );
}
