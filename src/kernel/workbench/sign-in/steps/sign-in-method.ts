import type { ComponentType } from 'react';
import type { TokenReply } from '#shared/auth';
import type { SignInProvider } from '#shared/sign-in-options';
import type { LocalizedText } from '#shared/text';
import type { ProviderReturn } from '../../../platform/session/identity-returns.ts';
import type { SecondFactorRequest } from '../../../platform/session/session.ts';
import type { IconName } from '../../../ui/primitives/Icon.tsx';
import type { SignInTenant } from './sign-in-tenant.ts';

/** Steps of the sign-in flow. */
export type SignInStep =
  | { readonly kind: 'account' }
  /** The password was right. */
  | ({ readonly kind: 'secondFactor' } & SecondFactorRequest)
  /** The user has chosen a method. */
  | { readonly kind: 'method'; readonly method: SignInMethod; readonly provider?: SignInProvider }
  | HandledStep;

/** Steps that begin by themselves; the first method with a component for them shows them. */
export type HandledStep =
  /** The browser has come back from a provider. */
  | { readonly kind: 'return'; readonly returned: ProviderReturn }
  /** The provider's identity is linked to no user. */
  | { readonly kind: 'guest'; readonly guest: { readonly reply: TokenReply; readonly source: string } };

/** Props of the step of a sign-in method. */
export interface SignInStepProps {
  /** Set for a `GuestStep`: the reply of the token endpoint, and the source of the identity. */
  readonly guest?: Extract<HandledStep, { kind: 'guest' }>['guest'];
  /** Set for a `Step` that the button of a provider has opened. */
  readonly provider?: SignInProvider;
  /** Set for a `ReturnStep`. */
  readonly returned?: ProviderReturn;
  readonly tenant: SignInTenant;
  /** True once sign-in has succeeded and the console is loading. */
  readonly isOpening: boolean;
  /** Reports the first input, so that the console is preloaded. */
  readonly onTyping: () => void;
  readonly onSignedIn: () => void;
  /** Goes to another step, with a reason to show where the user did not choose it. */
  readonly onStep: (step: SignInStep, why?: string) => void;
  /** Sends the browser to a provider. */
  readonly onLeaveFor: (source: string) => void;
}

/** Props of the buttons of a sign-in method that has several. */
export interface SignInButtonsProps {
  /** Value of the method's field in the reply of `oauth/ways`. */
  readonly offered: readonly string[];
  readonly onLeaveFor: (source: string) => void;
}

/**
 * A sign-in method of a plugin, from its file `console/sign-in.ts`. Every sign-in page loads these files and no other of a plugin, so `Step` and `Buttons` are created
 * by `lazyComponent`.
 */
export interface SignInMethod {
  /** Name of its field in the reply of `oauth/ways`: the page offers it where the server does. */
  readonly id: string;
  /** Text of its button; a method without one has no button of its own. Providers with names have a button each. */
  readonly title?: LocalizedText;
  readonly icon?: IconName;
  /** Asks for the user's proof in place of the password, also for providers of the kind `password`. Without it the button leaves for the provider of the same id. */
  readonly Step?: ComponentType<SignInStepProps>;
  /** Draws the buttons of a method with several providers. */
  readonly Buttons?: ComponentType<SignInButtonsProps>;
  /** True for a method that requests an account instead of signing in; it is offered below the others, and not to a user who signs in again. */
  readonly isRegistration?: boolean;
  /** Leads a user whose role requires a second factor through its setup; the first method with this component shows it. */
  readonly SetupStep?: ComponentType;
  /** Begins when the browser returns from a provider. */
  readonly ReturnStep?: ComponentType<SignInStepProps>;
  /** Begins for the identity of a provider that is linked to no user. */
  readonly GuestStep?: ComponentType<SignInStepProps>;
}

/** A method that the server offers in the tenant, with the value of its field. */
export interface OfferedMethod {
  readonly method: SignInMethod;
  readonly values: readonly string[];
  /** Providers with names of their own; each has a button. */
  readonly providers: readonly SignInProvider[];
}

/** Sign-in methods of the plugins of this deployment, in the order of the manifest. */
export class SignInMethodList {
  constructor(readonly load: () => Promise<readonly SignInMethod[]>) {}
}
