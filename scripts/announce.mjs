/** Starts a built server in this process and prints where it is. A copy stands beside the server of a deployment, so it uses nothing of the project. */

/** Starts the server of a build; a failure is printed and ends the process with code 1. `remedy` is printed where a module is missing. */
export async function startBuilt(address, remedy) {
  try {
    const { startServer } = await import(address);
    return await startServer(process.env);
  } catch (error) {
    console.error(`\n${error.code === 'ERR_MODULE_NOT_FOUND' ? `${error.message}\n${remedy}` : sentenceOf(error)}\n`);
    return process.exit(1);
  }
}

/** Something that was thrown without a message is printed as it is. */
const sentenceOf = (error) => error?.message || String(error?.stack ?? error);

/** Prints where a started server is, and how to sign in the first time. */
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
