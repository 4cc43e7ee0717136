import { wayTexts } from '../../../platform/i18n/texts.ts';
import { WithTexts } from '../../../platform/i18n/WithTexts.tsx';
import styles from '../styles/SignInPage.module.css';
import { GuestDialog } from './GuestDialog.tsx';
import { OAuthCallbackStep } from './OAuthCallbackStep.tsx';
import { PhoneStep } from './PhoneStep.tsx';
import { RegisterStep } from './RegisterStep.tsx';
import { SecondFactorStep } from './SecondFactorStep.tsx';
import type { SignInStep } from './sign-in-step.ts';
import type { SignInTenant } from './sign-in-tenant.ts';

/** Props shared by every step after the first. */
export interface StepProps {
  readonly tenant: SignInTenant;
  readonly isOpening: boolean;
  readonly onTyping: () => void;
  readonly onSignedIn: () => void;
  /** Goes to another step, with a reason to show where the user did not choose it. */
  readonly onStep: (step: SignInStep, why?: string) => void;
  readonly onLeaveFor: (source: string) => void;
}

/** Renders every step of signing in other than account and password. */
export default function NextStep({ step, ...props }: StepProps & { readonly step: SignInStep }) {
  return (
    <WithTexts part={wayTexts} fallback={<div className={styles.stepComing} />}>
      {step.kind === 'phone' && <PhoneStep {...props} />}
      {step.kind === 'register' && <RegisterStep {...props} />}
      {step.kind === 'secondFactor' && <SecondFactorStep {...props} token={step.token} tenantId={step.tenantId} />}
      {step.kind === 'guest' && <GuestDialog {...props} reply={step.reply} source={step.source} />}
      {step.kind === 'returned' && <OAuthCallbackStep {...props} returned={step.returned} />}
    </WithTexts>
  );
}
