/** Starts a built server in this process and prints its address. The file is copied beside the server of a deployment, so it imports nothing of the project. */

/** Starts the server of a build; a failure is printed and ends the process with code 1. `moduleUrl` is the URL of its main file; `remedy` is printed if a module is missing. */
export async function startBuilt(moduleUrl, remedy) {
  try {
    const { startServer } = await import(moduleUrl);
    return await startServer(process.env);
  } catch (error) {
    console.error(`\n${error.code === 'ERR_MODULE_NOT_FOUND' ? `${error.message}\n${remedy}` : messageOf(error)}\n`);
    return process.exit(1);
  }
}

/** Returns the message of a thrown value, or the whole value if it has none. */
const messageOf = (error) => error?.message || String(error?.stack ?? error);

/** Formats the line of the first password and a note. Only a server that writes to a terminal supplies the password itself; others name the file that contains it. */
function passwordLines({ password, passwordFile, problem }) {
  if (password) return [`  password  ${password}`, '            shown only once; must be changed at the first sign-in, within 7 days'];
  if (passwordFile) return [`  password  in ${passwordFile}`, '            readable by its owner only; deleted once the password has been changed'];
  if (problem) return [`  password  could not be written: ${problem}`, '            run npm run admin -- reset-password admin to get a new one'];
  return ['  password  the value of ADMIN_PASSWORD'];
}

/** Prints the address of a started server and the credentials of the first sign-in. */
export function announce({ address, bootstrapCredentials }) {
  console.log(`\n  Marquee runs at ${process.env.PUBLIC_ADDRESS ?? address}\n`);
  if (bootstrapCredentials) {
    console.log(`  account   ${bootstrapCredentials.account}`);
    for (const line of passwordLines(bootstrapCredentials)) console.log(line);
    console.log('');
  }
  console.log('  Ctrl-C stops it.\n');
}
