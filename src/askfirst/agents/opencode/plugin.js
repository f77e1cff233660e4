// The gate before OpenCode's tools, written by `askfirst init`; `askfirst uninstall --agent opencode` takes it out again.
// To throw is to block. Everything but a plain "allow" throws: a program that is missing, crashes, hangs or says something else.
import { spawn } from "node:child_process"

const GATE = __GATE__
const WAIT_MS = 3600 * 1000

function ask(question) {
  return new Promise((resolve, reject) => {
    const closed = (why) => reject(new Error(`askfirst: ${why}; the gate stays closed (askfirst doctor)`))
    let child
    try {
      child = spawn(GATE[0], GATE.slice(1), { cwd: question.directory, stdio: ["pipe", "pipe", "pipe"] })
    } catch (error) {
      closed(String(error))
      return
    }
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      closed("no answer in time")
    }, WAIT_MS)
    let out = ""
    let err = ""
    child.stdout.on("data", (data) => (out += data))
    child.stderr.on("data", (data) => (err += data))
    child.on("error", (error) => {
      clearTimeout(timer)
      closed(String(error))
    })
    child.on("close", (code) => {
      clearTimeout(timer)
      if (code !== 0) {
        closed(err.trim().slice(-500) || `the hook ended with ${code}`)
        return
      }
      let answer
      try {
        answer = JSON.parse(out)
      } catch {
        closed("the hook's answer is not JSON")
        return
      }
      if (answer === null || typeof answer !== "object") closed("the hook's answer is not an object")
      else resolve(answer)
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(question))
  })
}

export const Askfirst = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const question = { tool: input.tool, session: input.sessionID, call: input.callID, args: output.args, directory }
    const answer = await ask(question)
    if (answer.decision !== "allow") throw new Error(String(answer.reason ?? "askfirst denied this"))
    if (answer.args !== undefined) Object.assign(output.args, answer.args)
  },
})
