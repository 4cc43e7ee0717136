import { ProviderIcon, SignInButton, type SignInButtonsProps, useTranslation } from '#kernel';
import { sourceTitle } from '#shared/social';

/** Renders a button for each provider that is set up. */
export default function SocialButtons({ offered, onLeaveFor }: SignInButtonsProps) {
  const t = useTranslation();
  return offered.map((source) => (
    <SignInButton key={source} icon={<ProviderIcon source={source} />} label={t(sourceTitle(source))} onClick={() => onLeaveFor(source)} />
  ));
}
