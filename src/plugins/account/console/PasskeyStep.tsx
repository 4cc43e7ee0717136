import { PasskeySignIn, type SignInStepProps } from '#kernel';

/** Signs in with a passkey in place of account and password. */
export default function PasskeyStep(props: SignInStepProps) {
  return <PasskeySignIn {...props} />;
}
