/** Says where a started server is, and how to sign in the first time. Stands beside the server of a deployment, so it knows nothing of the project. */
export function announce({ address, firstSignIn }) {
  console.log(`\n  Marquee runs at ${process.env.PUBLIC_ADDRESS ?? address}\n`);
  if (firstSignIn) {
    console.log(`  account   ${firstSignIn.account}`);
    console.log(`  password  ${firstSignIn.password ?? 'the one given in ADMIN_PASSWORD'}`);
    if (firstSignIn.password) console.log('            shown this once; it must be changed at the first sign-in');
    console.log('');
  }
  console.log('  Ctrl-C stops it.\n');
}
