/* The fast client of askfirst: hands one call of a hook to the warm process of this user, and prints its answer.

   It decides nothing. Whatever is odd (no process, another user's, another build's, silence, a reply that is not whole)
   ends in the cold hook, started with the same input; where even that fails, in exit code 2, which closes the gate.

   A call is judged once. The client lays one byte into a pipe and passes the pipe on. Whoever reads that byte has the
   call: the warm process before its first effect, or the client when it gives up waiting. A client that comes too late
   starts the cold hook with the number of the call, which then finds what was decided (resident/recovery.py).

   Nothing here follows the environment: a repository can set variables for the hooks of a session. The build says
   where Python and askfirst are; the socket lies where only this user can make one. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <libproc.h>
#include <sys/random.h>
#endif

#if !defined PYTHON || !defined EXECUTABLE || !defined LAUNCH || !defined BUILD
#error "compile it with `askfirst resident build`"
#endif

#ifndef PATIENCE_MS
#define PATIENCE_MS 1000 /* for a call that nobody has judged yet */
#endif
#ifndef SAMPLE
#define SAMPLE 128 /* one call in so many is judged cold as well */
#endif

enum { KEY = 16, HEADER = 8, EFFECTS_MS = 30000 };
enum { MAX_INPUT = 16 << 20, MAX_REPLY = 64 << 20, MAX_WORDS = 64 };

extern char **environ;

struct bytes { char *at; size_t size, room; };

static struct bytes input;
static unsigned char key[KEY];
static char place[sizeof(((struct sockaddr_un *)0)->sun_path)];
static int token = -1;             /* the read end of the pipe that holds the call */
static int more_input;             /* stdin holds more than was read */
static long peer_pid;
static double began;               /* on the wall clock, as the log has it */

static int closed(const char *why)
{
    dprintf(2, "askfirst: %s; the call is denied\n", why);
    return 2;
}

static double seconds(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int add(struct bytes *to, const void *from, size_t size)
{
    if (to->room - to->size < size) {
        size_t room = to->room * 2 > to->size + size ? to->room * 2 : to->size + size + 4096;
        char *grown = realloc(to->at, room);
        if (!grown)
            return 0;
        to->at = grown;
        to->room = room;
    }
    if (size)
        memcpy(to->at + to->size, from, size);
    to->size += size;
    return 1;
}

static void put_number(unsigned char *at, uint32_t number)
{
    at[0] = number >> 24, at[1] = number >> 16 & 255, at[2] = number >> 8 & 255, at[3] = number & 255;
}

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int add_part(struct bytes *to, const void *from, size_t size)
{
    unsigned char length[4];
    if (size > MAX_REPLY)
        return 0;
    put_number(length, (uint32_t)size);
    return add(to, length, 4) && add(to, from, size);
}

/* -- the call ----------------------------------------------------------------------------------------------------- */

static int read_input(void)
{
    static char chunk[1 << 16];
    for (;;) {
        ssize_t got = read(0, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        if (!add(&input, chunk, (size_t)got))
            return 0;
        if (input.size > MAX_INPUT) {
            more_input = 1;
            return 1;
        }
    }
}

static int add_list(struct bytes *to, char **words)
{
    struct bytes all = {0};
    int good = 1;
    for (; good && *words; words++)
        good = add(&all, *words, strlen(*words) + 1);
    good = good && add_part(to, all.at, all.size);
    free(all.at);
    return good;
}

/* Everything that the verdict depends on: the same parts in the same order as in resident/protocol.py. */
static int make_request(struct bytes *to, char **words)
{
    char here[4096], where[160];
    struct stat root, cwd;
    unsigned char header[HEADER] = "AFQ1";
    mode_t mask = umask(077);
    umask(mask);
    if (!getcwd(here, sizeof here) || stat("/", &root) || stat(".", &cwd))
        return 0;
    snprintf(where, sizeof where, "%lo %llu %llu %llu %llu", (unsigned long)mask, (unsigned long long)root.st_dev,
             (unsigned long long)root.st_ino, (unsigned long long)cwd.st_dev, (unsigned long long)cwd.st_ino);
    if (!add(to, header, HEADER) || !add_part(to, BUILD, strlen(BUILD)) || !add_part(to, key, KEY)
        || !add_part(to, "hook", 4) || !add_part(to, where, strlen(where)) || !add_part(to, here, strlen(here))
        || !add_list(to, words) || !add_list(to, environ) || !add_part(to, input.at, input.size))
        return 0;
    put_number((unsigned char *)to->at + 4, (uint32_t)(to->size - HEADER));
    return 1;
}

/* -- the other side ------------------------------------------------------------------------------------------------ */

/* A directory that this user alone can enter, by its own name. */
static int is_private(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() && !(found.st_mode & 077);
}

static int find_place(const char *given)
{
    struct stat found;
    char runtime[64];
    int size;
    snprintf(runtime, sizeof runtime, "/run/user/%lu", (unsigned long)geteuid());
    if (given)
        size = snprintf(place, sizeof place, "%s", given);
    else if (lstat(runtime, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid())
        size = snprintf(place, sizeof place, "%s/askfirst", runtime);
    else
        size = snprintf(place, sizeof place, "/tmp/askfirst-%lu", (unsigned long)geteuid());
    return size > 0 && (size_t)size < sizeof place;
}

/* The process behind the socket: this user's, and running the Python that was there when this was built. */
static int is_ours(int line)
{
    char path[4096];
    ssize_t size;
#ifdef __APPLE__
    uid_t uid;
    gid_t gid;
    pid_t pid = 0;
    socklen_t room = sizeof pid;
    if (getpeereid(line, &uid, &gid) || uid != geteuid() || getsockopt(line, SOL_LOCAL, LOCAL_PEERPID, &pid, &room))
        return 0;
    peer_pid = pid;
    size = proc_pidpath(pid, path, sizeof path);
#else
    struct ucred peer;
    socklen_t room = sizeof peer;
    char link[64];
    if (getsockopt(line, SOL_SOCKET, SO_PEERCRED, &peer, &room) || peer.uid != geteuid() || peer.pid <= 0)
        return 0;
    peer_pid = peer.pid;
    snprintf(link, sizeof link, "/proc/%ld/exe", peer_pid);
    size = readlink(link, path, sizeof path);
#endif
    return size == (ssize_t)strlen(EXECUTABLE) && memcmp(path, EXECUTABLE, (size_t)size) == 0;
}

static int connect_to_process(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int size = snprintf(address.sun_path, sizeof address.sun_path, "%s/%s.sock", place, BUILD);
    int line;
    if (size < 0 || (size_t)size >= sizeof address.sun_path || !is_private(place))
        return -1;
    line = socket(AF_UNIX, SOCK_STREAM, 0);
    if (line < 0)
        return -1;
    /* A queue that is full says so at once, rather than holding this call up. */
    if (fcntl(line, F_SETFL, O_NONBLOCK) || fcntl(line, F_SETFD, FD_CLOEXEC)
        || connect(line, (struct sockaddr *)&address, sizeof address) || !is_ours(line)) {
        close(line);
        return -1;
    }
    return line;
}

static int wait_until(int line, short what, double deadline)
{
    struct pollfd one = {.fd = line, .events = what};
    for (;;) {
        double left = (deadline - seconds(CLOCK_MONOTONIC)) * 1000;
        int got = poll(&one, 1, left < 0 ? 0 : (int)left + 1);
        if (got > 0)
            return 1;
        if (got == 0 || errno != EINTR)
            return 0;
    }
}

static int send_request(int line, const struct bytes *request, double deadline)
{
    union { struct cmsghdr header; char room[CMSG_SPACE(sizeof(int))]; } control = {0};
    size_t sent = 0;
    while (sent < request->size) {
        struct iovec rest = {request->at + sent, request->size - sent};
        struct msghdr message = {.msg_iov = &rest, .msg_iovlen = 1};
        ssize_t now;
        if (!sent) {
            struct cmsghdr *pass = &control.header;
            message.msg_control = &control;
            message.msg_controllen = sizeof control.room;
            pass->cmsg_level = SOL_SOCKET;
            pass->cmsg_type = SCM_RIGHTS;
            pass->cmsg_len = CMSG_LEN(sizeof(int));
            memcpy(CMSG_DATA(pass), &token, sizeof(int));
        }
        now = sendmsg(line, &message, 0);
        if (now > 0)
            sent += (size_t)now;
        else if (now < 0 && errno == EINTR)
            continue;
        else if (now == 0 || (errno != EAGAIN && errno != EWOULDBLOCK) || !wait_until(line, POLLOUT, deadline))
            return 0;
    }
    return 1;
}

/* Take the call back. 1: nobody has judged it, and nobody will. */
static int take_back(void)
{
    char byte;
    ssize_t got;
    do
        got = read(token, &byte, 1);
    while (got < 0 && errno == EINTR);
    return got == 1;
}

static int is_whole(const struct bytes *reply)
{
    return reply->size >= HEADER && reply->size == HEADER + (size_t)number_at((unsigned char *)reply->at + 4);
}

/* The reply, whole and nothing behind it. While the warm process has not begun with effects, a second of silence is
   enough; afterwards only its end, or half a minute. 1: whole, 0: take the call back, -1: it is judged, reply lost. */
static int read_reply(int line, struct bytes *reply, double deadline)
{
    static char chunk[1 << 16];
    int mine_no_more = 0;
    while (!is_whole(reply)) {
        ssize_t got;
        if (!wait_until(line, POLLIN, deadline)) {
            if (mine_no_more || take_back())
                return mine_no_more ? -1 : 0;
            mine_no_more = 1;
            deadline = seconds(CLOCK_MONOTONIC) + EFFECTS_MS / 1000.0;
            continue;
        }
        got = read(line, chunk, sizeof chunk);
        if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
            continue;
        if (got <= 0 || reply->size + (size_t)got > MAX_REPLY || !add(reply, chunk, (size_t)got))
            return mine_no_more || !take_back() ? -1 : 0;
    }
    return 1;
}

/* The next part of a reply; NULL when there is none. */
static char *part(struct bytes *reply, size_t *at, size_t *size)
{
    char *found;
    if (reply->size - *at < 4)
        return NULL;
    *size = number_at((unsigned char *)reply->at + *at);
    if (reply->size - *at - 4 < *size)
        return NULL;
    found = reply->at + *at + 4;
    *at += 4 + *size;
    return found;
}

static int write_all(int to, const char *from, size_t size)
{
    while (size) {
        ssize_t now = write(to, from, size);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            return 0;
        from += now;
        size -= (size_t)now;
    }
    return 1;
}

/* Print an answer. 0 and 2: exit codes, -1: this is no reply, -2: the process leaves the call to the cold hook. */
static int deliver(struct bytes *reply)
{
    size_t at = HEADER, sizes[5];
    char *parts[5];
    for (int i = 0; i < 5; i++)
        if (!(parts[i] = part(reply, &at, &sizes[i])))
            return -1;
    if (at != reply->size || memcmp(reply->at, "AFR1", 4) || sizes[0] != KEY || memcmp(parts[0], key, KEY)
        || sizes[2] != 1 || (*parts[2] != 0 && *parts[2] != 2))
        return -1;
    if (sizes[1] == 4 && !memcmp(parts[1], "cold", 4))
        return -2;
    if (sizes[1] != 6 || memcmp(parts[1], "answer", 6))
        return -1;
    /* One JSON object and a line's end, or nothing at all: half an object would be taken for no decision. */
    if (sizes[3] && (sizes[3] < 3 || *parts[3] != '{' || memcmp(parts[3] + sizes[3] - 2, "}\n", 2)))
        return -1;
    if (sizes[4])
        (void)!write(2, parts[4], sizes[4]);
    return write_all(1, parts[3], sizes[3]) ? *parts[2] : closed("the answer could not be written");
}

/* 1: answered, with the exit code. 0: the call is the cold hook's. -1: so it is, but it was judged before. */
static int ask(char **words, int *code)
{
    struct bytes request = {0}, reply = {0};
    double deadline = seconds(CLOCK_MONOTONIC) + PATIENCE_MS / 1000.0;
    int line, ends[2], found = 0;
    if (more_input || (line = connect_to_process()) < 0)
        return 0;
    if (pipe(ends) == 0) {
        token = ends[0];
        if (fcntl(token, F_SETFL, O_NONBLOCK) == 0 && write(ends[1], "1", 1) == 1 && close(ends[1]) == 0
            && make_request(&request, words)) {
            found = send_request(line, &request, deadline) ? read_reply(line, &reply, deadline) : take_back() ? 0 : -1;
            if (found == 1 && (*code = deliver(&reply)) < 0)
                found = *code == -2 || take_back() ? 0 : -1;
        }
        close(token);
    }
    close(line);
    free(request.at);
    free(reply.at);
    return found;
}

/* -- the cold hook ------------------------------------------------------------------------------------------------- */

/* What was read becomes the standard input again. A pipe takes the usual call whole; a child feeds a longer one. */
static int give_input_back(void)
{
    int ends[2];
    ssize_t fits;
    pid_t child;
    if (pipe(ends) || fcntl(ends[1], F_SETFL, O_NONBLOCK))
        return 0;
    fits = input.size ? write(ends[1], input.at, input.size) : 0;
    if (fits < 0 && errno != EAGAIN)
        return 0;
    if (fits < 0)
        fits = 0;
    if ((size_t)fits < input.size || more_input) {
        child = fork();
        if (child < 0)
            return 0;
        if (child == 0) {
            static char chunk[1 << 16];
            ssize_t got;
            close(ends[0]);
            close(1);
            close(2);
            if (fcntl(ends[1], F_SETFL, 0) || !write_all(ends[1], input.at + fits, input.size - (size_t)fits))
                _exit(0);
            while (more_input && ((got = read(0, chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR)))
                if (got > 0 && !write_all(ends[1], chunk, (size_t)got))
                    break;
            _exit(0);
        }
    }
    close(ends[1]);
    return dup2(ends[0], 0) == 0 && close(ends[0]) == 0;
}

static int cold(char **words, const char *how)
{
    char *command[MAX_WORDS + 16] = {PYTHON, "-I", "-S", LAUNCH};
    char lost[128];
    int count = 4;
    for (; *words; words++)
        command[count++] = *words;
    if (how) {
        command[count++] = "--place";
        command[count++] = place;
        if (!strcmp(how, "--sample")) {
            command[count++] = "--sample";
        } else if (!strcmp(how, "--lost")) {
            int at = 0;
            for (int i = 0; i < KEY; i++)
                at += sprintf(lost + at, "%02x", key[i]);
            snprintf(lost + at, sizeof lost - (size_t)at, ":%ld:%.6f", peer_pid, began);
            command[count++] = "--lost";
            command[count++] = lost;
        }
    }
    if (how && !give_input_back())
        return closed("the call could not be handed to the cold hook");
    execv(PYTHON, command);
    return closed("its Python cannot be started; run `askfirst init` again");
}

int main(int count, char **words)
{
    const char *given = NULL, *off = getenv("ASKFIRST_RESIDENT");
    int code = 2, found = 0;
    began = seconds(CLOCK_REALTIME);
    signal(SIGPIPE, SIG_IGN); /* as Python does: a reader that is gone is an error, not the end */
    if (count > MAX_WORDS)
        return closed("too many arguments");
    /* What is opened later must not become one of these. Without an output there is no answer but the exit code. */
    if (fcntl(2, F_GETFD) < 0 && fcntl(0, F_GETFD) >= 0 && fcntl(1, F_GETFD) >= 0)
        (void)!open("/dev/null", O_WRONLY);
    if (fcntl(0, F_GETFD) < 0 || fcntl(1, F_GETFD) < 0)
        return closed("it has no standard input or output");
    words++;
    if (*words && !strcmp(*words, "--build")) {
        puts(BUILD);
        return 0;
    }
    if (*words && !strcmp(*words, "--place") && words[1]) {
        given = words[1];
        words += 2;
    }
    if (!*words || strcmp(*words, "hook") || (words[1] && !strcmp(words[1], "--help")))
        return cold(words, NULL);
    if (!read_input())
        return closed("its input cannot be read");
    if (!find_place(given) || getentropy(key, KEY) || (off && !strcmp(off, "off")))
        return cold(words, "");
    if (number_at(key) % SAMPLE == 0)
        return cold(words, "--sample");
    found = ask(words, &code);
    return found > 0 ? code : cold(words, found < 0 ? "--lost" : "");
}
