import { wayTexts } from '../i18n/texts.ts';
import { WithTexts } from '../i18n/WithTexts.tsx';
import { GuestDialog } from './GuestDialog.tsx';
import { PhoneStep } from './PhoneStep.tsx';
import { RegisterStep } from './RegisterStep.tsx';
import { ReturnedStep } from './ReturnedStep.tsx';
import { SecondFactorStep } from './SecondFactorStep.tsx';
import styles from './SignInPage.module.css';
import type { SignInStep } from './sign-in-step.ts';
import type { SignInTenant } from './sign-in-tenant.ts';

/** What every step but the first is given. */
export interface StepProps {
  readonly tenant: SignInTenant;
  readonly isOpening: boolean;
  readonly onTyping: () => void;
  readonly onSignedIn: () => void;
  /** Goes to another step, with a word about why where it was not chosen. */
  readonly onStep: (step: SignInStep, why?: string) => void;
  readonly onLeaveFor: (source: string) => void;
}

/** Whatever signing in takes beyond account and password. */
export default function FurtherStep({ step, ...props }: StepProps & { readonly step: SignInStep }) {
  return (
    <WithTexts part={wayTexts} fallback={<div className={styles.stepComing} />}>
      {step.kind === 'phone' && <PhoneStep {...props} />}
      {step.kind === 'register' && <RegisterStep {...props} />}
      {step.kind === 'secondFactor' && <SecondFactorStep {...props} token={step.token} tenantId={step.tenantId} />}
      {step.kind === 'guest' && <GuestDialog {...props} reply={step.reply} source={step.source} />}
      {step.kind === 'returned' && <ReturnedStep {...props} returned={step.returned} />}
    </WithTexts>
  );
}
