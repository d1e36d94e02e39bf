/** Prisma's codes for errors of Postgres and the network. */
const codes = { '3D000': 'P1003', '28P01': 'P1000', ECONNREFUSED: 'P1001', '42P04': 'P1009' };

/** Runs a command of Prisma's command line and returns the exit code. */
export async function runDatabaseCommand(databases, command, log) {
  const commands = {
    'can-connect-to-database': databases.connect,
    'create-database': databases.create,
    'drop-database': databases.drop,
  };
  try {
    await commands[command]();
    return 0;
  } catch (error) {
    // Prints a first line, because Prisma skips it when it searches for the error.
    log('INFO', { message: command });
    const message = String(error?.message || error?.code || error);
    log('ERROR', { message, error_code: codes[error?.code] ?? 'P1011' });
    return 1;
  }
}
