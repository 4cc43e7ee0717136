import { useEffect, useState } from 'react';
import { useService } from '../../../base/react/services.tsx';
import styles from '../styles/SignInPage.module.css';
import { SecondFactorStep } from './SecondFactorStep.tsx';
import { type HandledStep, type SignInMethod, SignInMethodList, type SignInStep, type SignInStepProps } from './sign-in-method.ts';

type StepProps = Omit<SignInStepProps, 'guest' | 'returned'>;

/** Renders every step of signing in other than account and password. */
export default function NextStep({ step, ...props }: StepProps & { readonly step: Exclude<SignInStep, { kind: 'account' }> }) {
  if (step.kind === 'secondFactor') return <SecondFactorStep {...props} token={step.token} tenantId={step.tenantId} />;
  if (step.kind === 'method') return step.method.Step && <step.method.Step {...props} />;
  return <Handled step={step} {...props} />;
}

/** Renders the step of the method that handles it; a deployment without one begins with the password. */
function Handled({ step: { kind, ...given }, ...props }: StepProps & { readonly step: HandledStep }) {
  const list = useService(SignInMethodList);
  const [methods, setMethods] = useState<readonly SignInMethod[]>();
  useEffect(() => {
    list.load().then(setMethods, () => setMethods([]));
  }, [list]);
  const name = kind === 'return' ? 'ReturnStep' : 'GuestStep';
  const Step = methods?.find((method) => method[name])?.[name];
  const isMissing = methods !== undefined && !Step;
  const { onStep } = props;
  useEffect(() => {
    if (isMissing) onStep({ kind: 'account' });
  }, [isMissing, onStep]);
  if (!methods) return <div className={styles.stepComing} />;
  return Step && <Step {...given} {...props} />;
}
