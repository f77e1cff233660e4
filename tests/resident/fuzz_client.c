/* Both directions of the protocol in client.c under sanitizers: a reply of any bytes, and a request made from any bytes.

   With clang -fsanitize=fuzzer,address,undefined this is a target of libFuzzer. With -DALONE it brings a small mutator
   of its own, for any compiler:  ./fuzz_client SEED ROUNDS */

#define _GNU_SOURCE
#include <stdio.h>
#define main client_main
#define dprintf(...) 0
#include CLIENT
#undef main
#undef dprintf

static void reply_of(const uint8_t *data, size_t size)
{
    int ends[2], call[2];
    struct bytes reply = {0};
    memset(key, 0, KEY);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || pipe(call))
        abort();
    token = call[0];
    fcntl(token, F_SETFL, O_NONBLOCK);
    if (size & 1 && write(call[1], "1", 1) != 1)
        abort();
    close(call[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (write(ends[1], data, size) != (ssize_t)size)
        abort();
    close(ends[1]);
    if (read_reply(ends[0], &reply, seconds(CLOCK_MONOTONIC) + 0.2) == 1) {
        int code = deliver(&reply);
        if (code != 0 && code != 2 && code != -1 && code != -2)
            abort();
    }
    free(reply.at);
    close(ends[0]);
    close(token);
}

/* What the process reads must be what the client was given: eight parts that fill the message. */
static void request_of(const uint8_t *data, size_t size)
{
    struct bytes request = {0};
    char *copy = malloc(size + 1), *words[4] = {0};
    size_t at = HEADER, length, parts = 0;
    if (!copy)
        abort();
    memcpy(copy, data, size);
    copy[size] = 0;
    words[0] = copy;
    words[1] = size > 8 ? copy + size / 2 : NULL;
    input.size = 0;
    if (!add(&input, data, size) || !make_request(&request, words))
        abort();
    if (number_at((unsigned char *)request.at + 4) + HEADER != request.size)
        abort();
    while (at < request.size) {
        char *found = part(&request, &at, &length);
        if (!found)
            abort();
        if (++parts == 8 && (length != size || memcmp(found, data, size)))
            abort();
    }
    if (parts != 8)
        abort();
    free(request.at);
    free(copy);
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
    (void)count, (void)words;
    int null = open("/dev/null", O_WRONLY);
    return null < 0 || dup2(null, 1) < 0; /* answers are printed */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 1 << 16)
        return 0;
    if (data[0] == 'r')
        request_of(data + 1, size - 1);
    else
        reply_of(data + 1, size - 1);
    return 0;
}

#ifdef ALONE
static uint64_t state;

static uint32_t any(uint32_t below)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(state >> 33) % below;
}

/* A reply that is good: 0, its header, and the parts key, kind, exit code, stdout, stderr. */
static size_t good_reply(uint8_t *to)
{
    struct bytes reply = {0};
    unsigned char header[HEADER] = "AFR1", zeros[KEY] = {0};
    if (!add(&reply, "w", 1) || !add(&reply, header, HEADER) || !add_part(&reply, zeros, KEY)
        || !add_part(&reply, any(4) ? "answer" : "cold\0\0", any(4) ? 6 : 4) || !add_part(&reply, zeros, 1)
        || !add_part(&reply, "{\"a\":1}\n", any(3) ? 8 : 0) || !add_part(&reply, "words", any(6)))
        abort();
    put_number((unsigned char *)reply.at + 5, (uint32_t)(reply.size - 1 - HEADER));
    memcpy(to, reply.at, reply.size);
    size_t size = reply.size;
    free(reply.at);
    return size;
}

int main(int count, char **words)
{
    static uint8_t data[4096];
    state = count > 1 ? strtoull(words[1], NULL, 10) : 1;
    LLVMFuzzerInitialize(&count, &words);
    for (long rounds = count > 2 ? atol(words[2]) : 1000; rounds > 0; rounds--) {
        size_t size = good_reply(data);
        if (any(8) == 0)
            data[0] = 'r';
        for (uint32_t changes = any(6); changes > 0; changes--)
            data[1 + any((uint32_t)size - 1)] = any(3) ? (uint8_t)any(256) : (uint8_t)(any(2) ? 0 : 255);
        if (any(4) == 0)
            size = 1 + any((uint32_t)size);
        LLVMFuzzerTestOneInput(data, size);
    }
    return 0;
}
#endif
