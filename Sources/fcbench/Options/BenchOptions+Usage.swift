extension BenchOptions {
    static let usage = """
        usage: fcbench [OPTION]... MODE [OPTION]...

        Loads a running chat server over TLS and reports what was delivered and what it cost. FriendlyChat needs:
        --set limits.rate=off --set auth.anonymous-create=on (the latter for many); its users are guests.

        modes
          fan     one publisher, many readers of one room
                  --subs N (100)  --window W: messages that some reader still lacks (256)
                  --stalled N: so many of the readers never read; a megabyte is sent before, uncounted, so that
                  the server has noticed (0)
          many    many rooms whose members all publish and all read; uses rooms #r1, #r2, ...
                  --rooms R (50)  --members M (20)  --window W (2)
          rate    a fixed rate to many readers; a late message is charged from the time it was due
                  --rate R a second (1000)  --subs N (100)  --stalled N (0)
          acked   sends that wait for their acknowledgement; nobody reads
                  --senders S (64)  --inflight K (1)
          idle    connections that sign in and say nothing: memory of each, CPU of all in --secs
                  --conns N (1000)
          storm   handshakes and sign-ins one after the other: CPU of each
                  --conns N (3000)  --resume: with a ticket of TLS  --no-sign-in: the handshake alone
          table   medians and ratios of a file of lines `scenario=NAME server=NAME` and what --raw prints
                  --from FILE

        options of all modes but table
          --proto P         kind of server: fc; redis (pub/sub, acked pushes to a list), nats, irc (fc)
          --host H          numeric address or name of the server (127.0.0.1)
          --port P          its port with TLS (7700)
          --server-pid PID  report this process's CPU time and memory
          --conc N          connections that get ready at a time (32)
          --secs S          seconds of sending or of silence (5), the longest for storm (120)
          --json, --raw     one JSON object, or words key=value, instead of the table
          --no-header       the table's row alone

        options of fan, many, rate, acked
          --room NAME       room of fan, rate and acked (#lobby)
          --bytes B         length of a message's text, 34 ... 4000 (100)
          --msgs N          messages each publisher sends at most
          --drain D         seconds without a delivery until the rest counts as lost (5)

          --help, --version

        exit status: 0 when all is well; 1 when something was lost, doubled or out of order, or a connection failed;
        2 when the command line is wrong.

        """
}
