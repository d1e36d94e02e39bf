import { checkAuthSession, startSessionPolling } from './authChecker.js';

const { elsewhere, authSession } = document.getElementById('session-watch').dataset;

startSessionPolling(elsewhere);
if (authSession) checkAuthSession(authSession);
